package org.pecf.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.cli.option.RecordOptions.Repeated;
import org.pecf.engine.data.IdMap;

/** Ids in a file, one per line. */
public final class IdList {
  private static final String STANDARD_INPUT = "-";

  private IdList() {}

  /**
   * Read ids; blank lines and blanks around ids do not count.
   *
   * @param option the option that names the file, for messages
   * @param file the file, or - for standard input
   */
  public static List<String> read(String option, Path file) {
    String text;
    try {
      if (file.toString().equals(STANDARD_INPUT)) {
        text = text(System.in.readAllBytes());
      } else {
        try (InputStream stream = Files.newInputStream(file)) {
          text = text(stream.readAllBytes());
        }
      }
    } catch (IOException e) {
      throw PecfException.badData(
              "%s cannot read %s: %s. Name a file with one id per line, or - for standard input.",
              option, file, reason(file, e))
          .causedBy(e);
    }
    List<String> ids = new ArrayList<>();
    text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(ids::add);
    return ids;
  }

  /**
   * Return the ids in the values of an option, each of which is an id or several divided by commas.
   *
   * @param known the ids of the model, of which commas may be a part
   */
  public static List<String> named(Repeated option, IdMap known) {
    return option.values().stream()
        .flatMap(
            value ->
                known.search(value).isPresent()
                    ? Stream.of(value)
                    : Arrays.stream(value.split(",")).map(String::strip))
        .filter(id -> !id.isEmpty())
        .toList();
  }

  private static String text(byte[] bytes) throws CharacterCodingException {
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** Return why a file cannot be read, without the names of classes. */
  static String reason(Path file, IOException problem) {
    if (problem instanceof CharacterCodingException) {
      return "it is not text in UTF-8";
    }
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    if (!Files.exists(file)) {
      return "there is no such file";
    }
    return Files.isReadable(file)
        ? String.valueOf(problem.getMessage())
        : "you do not have the right to read it";
  }
}
