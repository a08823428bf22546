package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;

/**
 * The beginning of a text file, by which its format is recognised.
 *
 * @param text the beginning
 * @param end the index in it at which the last complete line has ended
 * @param lines its complete lines; blank ones are left out
 */
public record Sample(String text, int end, List<String> lines) {
  private static final int LIMIT = 1 << 16;

  /** Read the beginning of a file. */
  public static Sample of(TextFile file) {
    try (InputStream stream = file.stream()) {
      byte[] bytes = stream.readNBytes(LIMIT);
      return of(bytes, bytes.length < LIMIT);
    } catch (IOException e) {
      throw file.unreadable(e);
    }
  }

  /** Read the beginning of a file for recognition; empty if it cannot be text. */
  public static Optional<Sample> ofText(Path path) {
    try {
      Sample sample = ofReadable(TextFile.open(path));
      return sample.isText() && !sample.lines.isEmpty() ? Optional.of(sample) : Optional.empty();
    } catch (PecfException e) {
      return Optional.empty();
    }
  }

  /** Read as much as possible: the loader of a damaged file explains the damage best. */
  private static Sample ofReadable(TextFile file) {
    byte[] bytes = new byte[LIMIT];
    int length = 0;
    boolean whole = false;
    try (InputStream stream = file.stream()) {
      while (length < LIMIT && !whole) {
        int count = stream.read(bytes, length, LIMIT - length);
        whole = count < 0;
        length += Math.max(0, count);
      }
    } catch (IOException e) {
      if (length == 0) {
        throw file.unreadable(e);
      }
    }
    return of(Arrays.copyOf(bytes, length), whole);
  }

  private static Sample of(byte[] bytes, boolean whole) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = whole ? text.length() : text.lastIndexOf('\n') + 1;
    return new Sample(
        text, end, text.substring(0, end).lines().filter(line -> !line.isEmpty()).toList());
  }

  /** Return whether the sample is free of control characters that no text has. */
  private boolean isText() {
    return text.chars().allMatch(letter -> letter >= ' ' || "\n\r\t".indexOf(letter) >= 0);
  }
}
