package org.pecf.plugin.loaders.citeulike;

import java.util.concurrent.atomic.LongAdder;
import org.pecf.api.PecfException;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.LineParser;
import org.pecf.plugin.loaders.text.RatingColumns;

/**
 * A parser of lists of item numbers, one line per user. Words are separated by spaces and tabs.
 *
 * @param counted whether a line begins with the number of its items, and users are numbered by
 *     line; otherwise it begins with the user
 */
record UserLineParser(boolean counted) implements LineParser {
  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    long line = chunk.line();
    int position = chunk.from();
    // An item takes at least one digit and one byte that ends it.
    ratings.reserve((chunk.to() - chunk.from()) / 2 + 1);
    while (position < chunk.to()) {
      int end = chunk.lineEnd(position);
      line(chunk, position, end, line - 1, ratings);
      position = end + 1;
      line++;
    }
  }

  private void line(Chunk chunk, int from, int to, long number, RatingColumns ratings) {
    byte[] bytes = chunk.bytes();
    int first = wordStart(bytes, from, to);
    if (first == to) {
      return;
    }
    int position = wordEnd(bytes, first, to);
    long head = number(chunk, first, position, counted ? "count" : "user");
    long user = counted ? number : head;
    int before = ratings.count();
    int start = wordStart(bytes, position, to);
    while (start < to) {
      position = wordEnd(bytes, start, to);
      ratings.add(user, number(chunk, start, position, "item"));
      start = wordStart(bytes, position, to);
    }
    int items = ratings.count() - before;
    if (counted && items != head) {
      throw chunk.problem(
          first,
          "the line begins with the count %d, but %d %s. %s; correct this line, or set"
              + " layout=labelled if lines begin with the user's id.",
          head,
          items,
          items == 1 ? "item follows" : "items follow",
          expected());
    }
  }

  private long number(Chunk chunk, int from, int to, String what) {
    byte[] bytes = chunk.bytes();
    if (Digits.canonical(bytes, from, to) && bytes[from] != '-') {
      return Digits.integer(bytes, from, to);
    }
    for (int i = from; i < to; i++) {
      if (bytes[i] == 0) {
        throw chunk.nulByte(i);
      }
    }
    throw bad(chunk, from, to, what);
  }

  private PecfException bad(Chunk chunk, int from, int to, String what) {
    return chunk.problem(
        from,
        "%s '%s' is %s. %s; correct this line or leave it out.",
        what,
        Excerpt.of(chunk.bytes(), from, to),
        chunk.bytes()[from] == '-' && Digits.only(chunk.bytes(), from + 1, to)
            ? "negative"
            : "not a whole number without leading zeros",
        expected());
  }

  private String expected() {
    return counted ? "Expected 'count item item ...'" : "Expected 'user item item ...'";
  }

  /**
   * Count the lines of a chunk.
   *
   * @param users counts the lines that are not blank. Modified.
   * @param counted counts the lines that begin with the number of their other words. Modified.
   */
  static void survey(Chunk chunk, LongAdder users, LongAdder counted) {
    int position = chunk.from();
    while (position < chunk.to()) {
      int end = chunk.lineEnd(position);
      int first = wordStart(chunk.bytes(), position, end);
      if (first < end) {
        users.increment();
        if (beginsWithCount(chunk.bytes(), first, end)) {
          counted.increment();
        }
      }
      position = end + 1;
    }
  }

  private static boolean beginsWithCount(byte[] bytes, int from, int to) {
    int end = wordEnd(bytes, from, to);
    int words = 0;
    int start = wordStart(bytes, end, to);
    while (start < to) {
      words++;
      start = wordStart(bytes, wordEnd(bytes, start, to), to);
    }
    return Digits.canonical(bytes, from, end) && Digits.integer(bytes, from, end) == words;
  }

  /** Return the index of the first byte that is not blank, or the end. */
  private static int wordStart(byte[] bytes, int from, int to) {
    int index = from;
    while (index < to && blank(bytes[index])) {
      index++;
    }
    return index;
  }

  /** Return the index of the first blank byte, or the end. */
  private static int wordEnd(byte[] bytes, int from, int to) {
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
