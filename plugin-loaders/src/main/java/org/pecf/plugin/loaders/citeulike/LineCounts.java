package org.pecf.plugin.loaders.citeulike;

import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.Digits;

/**
 * The number of lines, and of those that begin with the number of their items.
 *
 * @param lines all lines
 * @param users the lines that are not blank
 * @param counted the lines whose first number is the number of others that follow
 */
record LineCounts(long lines, long users, long counted) {
  static final LineCounts NONE = new LineCounts(0, 0, 0);

  /** Count the lines of a chunk. */
  static LineCounts of(Chunk chunk) {
    LineCounts counts = NONE;
    int position = chunk.from();
    while (position < chunk.to()) {
      int end = chunk.lineEnd(position);
      counts = counts.plus(of(chunk.bytes(), position, end));
      position = end + 1;
    }
    return counts;
  }

  /** Count a single line. */
  static LineCounts of(byte[] bytes, int from, int to) {
    int first = Tokens.start(bytes, from, to);
    if (first == to) {
      return new LineCounts(1, 0, 0);
    }
    int end = Tokens.end(bytes, first, to);
    boolean counted =
        Digits.canonical(bytes, first, end)
            && Digits.integer(bytes, first, end) == tokens(bytes, end, to);
    return new LineCounts(1, 1, counted ? 1 : 0);
  }

  LineCounts plus(LineCounts other) {
    return new LineCounts(lines + other.lines, users + other.users, counted + other.counted);
  }

  private static int tokens(byte[] bytes, int from, int to) {
    int count = 0;
    int position = Tokens.start(bytes, from, to);
    while (position < to) {
      count++;
      position = Tokens.start(bytes, Tokens.end(bytes, position, to), to);
    }
    return count;
  }
}
