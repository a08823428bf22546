package org.pecf.plugin.loaders.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A divider of lines at their delimiters, which remembers the fields of the last line. */
public final class FieldSplitter {
  private final byte[] delimiter;
  private final boolean quotes;
  private byte[] bytes = {};
  private int line;
  private int lineEnd;
  private int[] starts = new int[8];
  private int[] ends = new int[8];
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
   * @param text its bytes. Not modified, and read until the next line is divided.
   * @return the index of the quote at which the line breaks the rules of quoting, or -1
   */
  public int split(byte[] text, int from, int to) {
    bytes = text;
    line = from;
    lineEnd = to;
    count = 0;
    int position = from;
    while (true) {
      int next;
      if (quotes && position < to && text[position] == '"') {
        int close = closingQuote(position);
        if (close < 0) {
          return position;
        }
        add(position + 1, close);
        next = close + 1;
        if (next < to && !delimiterAt(next)) {
          return close;
        }
      } else {
        next = position;
        while (next < to && !delimiterAt(next)) {
          next++;
        }
        add(position, next);
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

  /** Return the index at which the line begins. */
  int line() {
    return line;
  }

  /** Return the index after the last byte of the line. */
  int lineEnd() {
    return lineEnd;
  }

  /** Return the index at which a field begins, within its quotes. */
  public int start(int field) {
    return starts[field];
  }

  /** Return the index after the last byte of a field, within its quotes. */
  public int end(int field) {
    return ends[field];
  }

  /** Return whether a field is in quotes: pairs of quotes within it stand for one. */
  boolean quoted(int field) {
    return quotes && starts[field] > line && bytes[starts[field] - 1] == '"';
  }

  /** Return a field as it is written, within its quotes. */
  public String text(int field) {
    return new String(bytes, starts[field], ends[field] - starts[field], StandardCharsets.UTF_8);
  }

  private void add(int start, int end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  private boolean delimiterAt(int index) {
    return bytes[index] == delimiter[0]
        && (delimiter.length == 1 || (index + 1 < lineEnd && bytes[index + 1] == delimiter[1]));
  }

  private int closingQuote(int open) {
    for (int i = open + 1; i < lineEnd; i++) {
      if (bytes[i] == '"') {
        if (i + 1 == lineEnd || bytes[i + 1] != '"') {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
