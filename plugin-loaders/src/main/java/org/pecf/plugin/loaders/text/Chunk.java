package org.pecf.plugin.loaders.text;

import java.util.Locale;
import java.util.OptionalLong;
import org.pecf.api.PecfException;

/**
 * Consecutive whole lines of a file.
 *
 * @param file the file
 * @param bytes the text; {@link Digits#PADDING} bytes without meaning follow the lines
 * @param from the index at which the first line begins
 * @param to the index after the line feed that ends the last line; there always is one
 * @param line the number of the first line in the file, from 1
 * @param ordinal the place of the chunk in the source
 * @param before the number that the lines before leave to these, if they leave any
 */
public record Chunk(
    TextFile file, byte[] bytes, int from, int to, long line, long ordinal, OptionalLong before) {
  /** Return the index of the line feed that ends the line at an index. */
  public int lineEnd(int index) {
    int end = index;
    while (bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  /** Create the report of a problem at an index: {@code path:line:column: message}. */
  public PecfException problem(int index, String format, Object... arguments) {
    int start = index;
    while (start > from && bytes[start - 1] != '\n') {
      start--;
    }
    int column = 1;
    for (int i = start; i < index; i++) {
      // All bytes of a character but its first begin with the bits 10.
      column += (bytes[i] & 0xc0) == 0x80 ? 0 : 1;
    }
    return PecfException.badData(
        "%s:%d:%d: %s",
        file.path(),
        line + Digits.lineFeeds(bytes, from, start),
        column,
        String.format(Locale.ROOT, format, arguments));
  }

  /** Create the report of a NUL byte at an index. */
  public PecfException nulByte(int index) {
    return problem(
        index,
        "there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or UTF-16.");
  }
}
