package org.pecf.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.PecfException;

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
