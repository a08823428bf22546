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
import org.pecf.engine.file.FileProblem;

/** Ids in files and in options. */
public final class IdList {
  private static final String STANDARD_INPUT = "-";

  private IdList() {}

  /**
   * Read ids, one per line; blank lines and blanks around ids do not count.
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
              option, file, FileProblem.unreadable(file, e))
          .causedBy(e);
    }
    List<String> ids = new ArrayList<>();
    text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(ids::add);
    return ids;
  }

  /**
   * Return the ids in the values of an option, each of which is one id or several separated by
   * commas.
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
}
