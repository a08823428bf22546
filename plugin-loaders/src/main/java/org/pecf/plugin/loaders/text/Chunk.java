package org.pecf.plugin.loaders.text;

/**
 * Hold some whole lines of a file.
 *
 * @param file whose lines they are
 * @param bytes the text; {@link Digits#PADDING} bytes without meaning follow the lines
 * @param from the index at which the first line begins
 * @param to the index after the line feed that ends the last line; there always is one
 * @param offset the position in the file of index 0
 */
public record Chunk(TextFile file, byte[] bytes, int from, int to, long offset) {
  /** Return the index of the line feed that ends the line an index lies in. */
  public int lineEnd(int index) {
    int end = index;
    while (bytes[end] != '\n') {
      end++;
    }
    return end;
  }

  /** Create the report of a problem at an index. */
  public BadText problem(int index, String message) {
    return new BadText(offset + index, message);
  }
}
