package org.pecf.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.json.JsonText;

/** The JSON files of a study. */
final class StudyJson {
  static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private StudyJson() {}

  /** Write JSON, indented, to a file that is complete from the moment it appears. */
  static void write(Path file, JsonNode json) {
    WholeFile.write(file, text(json));
  }

  /** Return JSON as indented text that ends with a line end. */
  static String text(JsonNode json) {
    return JsonText.of(json);
  }

  /** Return JSON as it is after writing and reading, so that it can be compared with what was. */
  static JsonNode asRead(JsonNode json) {
    try {
      return JSON.readTree(text(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("JSON that was written can be read", e);
    }
  }

  /** Read a file of JSON, if there is one. */
  static Optional<JsonNode> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readTree(Files.readString(file)));
    } catch (IOException e) {
      throw PecfException.badData(
              "%s cannot be read (%s). Delete it, and the work is done again.",
              file, e.getMessage())
          .causedBy(e);
    }
  }
}
