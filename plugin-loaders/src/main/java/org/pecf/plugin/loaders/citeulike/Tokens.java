package org.pecf.plugin.loaders.citeulike;

/** The words of a line, which are separated by spaces, tabs and carriage returns. */
final class Tokens {
  private Tokens() {}

  /** Return the index of the first byte that is not blank, or the end. */
  static int start(byte[] bytes, int from, int to) {
    int index = from;
    while (index < to && blank(bytes[index])) {
      index++;
    }
    return index;
  }

  /** Return the index of the first blank byte, or the end. */
  static int end(byte[] bytes, int from, int to) {
    int index = from;
    while (index < to && !blank(bytes[index])) {
      index++;
    }
    return index;
  }

  private static boolean blank(byte value) {
    return value == ' ' || value == '\t' || value == '\r';
  }
}
