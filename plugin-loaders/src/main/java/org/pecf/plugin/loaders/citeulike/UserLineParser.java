package org.pecf.plugin.loaders.citeulike;

import java.util.function.ToLongFunction;
import org.pecf.plugin.loaders.citeulike.CiteULikeOptions.Layout;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.LineParser;
import org.pecf.plugin.loaders.text.RatingColumns;
import org.pecf.plugin.loaders.text.TextProblem;

/** A parser of lists of item numbers, one line per user. */
final class UserLineParser implements LineParser {
  private final Layout layout;
  private final ToLongFunction<Chunk> firstLine;

  /**
   * Create a parser.
   *
   * @param layout counted or labelled
   * @param firstLine gives the number of lines before a chunk; used with counted lines
   */
  UserLineParser(Layout layout, ToLongFunction<Chunk> firstLine) {
    this.layout = layout;
    this.firstLine = firstLine;
  }

  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    boolean counted = layout == Layout.COUNTED;
    long line = counted ? firstLine.applyAsLong(chunk) : 0;
    int position = chunk.from();
    // An item takes at least one digit and one byte that ends it.
    ratings.reserve((chunk.to() - chunk.from()) / 2 + 1);
    while (position < chunk.to()) {
      int end = chunk.lineEnd(position);
      line(chunk, position, end, counted, line, ratings);
      position = end + 1;
      line++;
    }
  }

  private void line(
      Chunk chunk, int from, int to, boolean counted, long number, RatingColumns ratings) {
    byte[] bytes = chunk.bytes();
    int first = Tokens.start(bytes, from, to);
    if (first == to) {
      return;
    }
    int position = Tokens.end(bytes, first, to);
    long head = number(chunk, first, position, counted ? "count" : "user");
    long user = counted ? number : head;
    int before = ratings.count();
    int start = Tokens.start(bytes, position, to);
    while (start < to) {
      position = Tokens.end(bytes, start, to);
      ratings.add(user, number(chunk, start, position, "item"));
      start = Tokens.start(bytes, position, to);
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

  private TextProblem bad(Chunk chunk, int from, int to, String what) {
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
    return layout == Layout.COUNTED
        ? "Expected 'count item item ...'"
        : "Expected 'user item item ...'";
  }
}
