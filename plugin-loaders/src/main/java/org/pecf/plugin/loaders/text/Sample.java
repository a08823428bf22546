package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;

/**
 * The first lines of a text file, by which its format is recognised.
 *
 * @param bytes the beginning of the text
 * @param start the index after a byte order mark
 * @param lines the complete lines without their line ends; blank ones are left out
 */
public record Sample(byte[] bytes, int start, List<Line> lines) {
  private static final int LIMIT = 1 << 16;

  /**
   * The bounds of a line in the sample.
   *
   * @param from the index at which it begins
   * @param to the index after its last character
   * @param next the index at which the next line begins
   */
  public record Line(int from, int to, int next) {}

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
    int start = TextFile.markLength(bytes, bytes.length);
    List<Line> lines = new ArrayList<>();
    int from = start;
    for (int i = start; i < bytes.length; i++) {
      boolean last = i == bytes.length - 1 && whole && bytes[i] != '\n';
      if (bytes[i] == '\n' || last) {
        int to = last ? i + 1 : i;
        int next = i + 1;
        if (to > from && bytes[to - 1] == '\r') {
          to--;
        }
        if (to > from) {
          lines.add(new Line(from, to, next));
        }
        from = next;
      }
    }
    return new Sample(bytes, start, List.copyOf(lines));
  }

  /** Return a line as text. */
  public String text(Line line) {
    return new String(bytes, line.from(), line.to() - line.from(), StandardCharsets.UTF_8);
  }

  /** Return whether the sample is free of control characters that no text has. */
  private boolean isText() {
    for (byte b : bytes) {
      if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }
}
