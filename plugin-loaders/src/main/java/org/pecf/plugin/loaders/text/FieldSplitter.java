package org.pecf.plugin.loaders.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A divider of lines at their delimiters, which remembers the fields of the last line. */
public final class FieldSplitter {
  private final byte[] delimiter;
  private final boolean quotes;
  private int[] starts = new int[8];
  private int[] ends = new int[8];
  // Whether each field holds doubled quotes.
  private boolean[] doubled = new boolean[8];
  private int count;

  /**
   * Create a splitter.
   *
   * @param delimiter one or two ASCII characters
   * @param quotes whether a field may be in double quotes, with quotes inside it doubled
   */
  public FieldSplitter(String delimiter, boolean quotes) {
    this.delimiter = delimiter.getBytes(StandardCharsets.US_ASCII);
    this.quotes = quotes;
  }

  /**
   * Divide a line.
   *
   * @return the index of the quote at which the line breaks the rules of quoting, or -1
   */
  public int split(byte[] bytes, int from, int to) {
    count = 0;
    int position = from;
    while (true) {
      int next;
      if (quotes && position < to && bytes[position] == '"') {
        int close = closingQuote(bytes, position, to);
        if (close < 0) {
          return position;
        }
        add(position + 1, close, hasQuote(bytes, position + 1, close));
        next = close + 1;
        if (next < to && !delimiterAt(bytes, next, to)) {
          return close;
        }
      } else {
        next = position;
        while (next < to && !delimiterAt(bytes, next, to)) {
          next++;
        }
        add(position, next, false);
      }
      if (next >= to) {
        return -1;
      }
      position = next + delimiter.length;
    }
  }

  /** Return the number of fields. */
  public int count() {
    return count;
  }

  /** Return the index at which a field begins, within its quotes. */
  public int start(int field) {
    return starts[field];
  }

  /** Return the index after the last byte of a field, within its quotes. */
  public int end(int field) {
    return ends[field];
  }

  /** Return whether a field holds doubled quotes, each pair of which stands for one. */
  public boolean doubled(int field) {
    return doubled[field];
  }

  private void add(int start, int end, boolean hasDoubled) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      doubled = Arrays.copyOf(doubled, 2 * count);
    }
    starts[count] = start;
    ends[count] = end;
    doubled[count] = hasDoubled;
    count++;
  }

  private boolean delimiterAt(byte[] bytes, int index, int to) {
    return bytes[index] == delimiter[0]
        && (delimiter.length == 1 || (index + 1 < to && bytes[index + 1] == delimiter[1]));
  }

  private static int closingQuote(byte[] bytes, int open, int to) {
    for (int i = open + 1; i < to; i++) {
      if (bytes[i] == '"') {
        if (i + 1 == to || bytes[i + 1] != '"') {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  private static boolean hasQuote(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '"') {
        return true;
      }
    }
    return false;
  }
}
