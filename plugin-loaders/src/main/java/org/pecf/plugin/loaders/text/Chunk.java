package org.pecf.plugin.loaders.text;

import java.util.Locale;

/**
 * Consecutive whole lines of a file.
 *
 * @param file the file
 * @param bytes the text; {@link Digits#PADDING} bytes without meaning follow the lines
 * @param from the index at which the first line begins
 * @param to the index after the line feed that ends the last line; there always is one
 * @param offset the position in the file of index 0
 */
public record Chunk(TextFile file, byte[] bytes, int from, int to, long offset) {
  /** Return the index of the line feed that ends the line at an index. */
  public int lineEnd(int index) {
    int end = index;
    while (bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  /** Create the report of a problem at an index. */
  public TextProblem problem(int index, String format, Object... arguments) {
    return new TextProblem(offset + index, String.format(Locale.ROOT, format, arguments));
  }

  /** Create the report of a NUL byte at an index. */
  public TextProblem nulByte(int index) {
    return problem(
        index,
        "there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or UTF-16.");
  }
}
