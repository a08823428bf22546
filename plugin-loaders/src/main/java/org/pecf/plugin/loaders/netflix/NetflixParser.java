package org.pecf.plugin.loaders.netflix;

import java.util.List;
import java.util.OptionalLong;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.support.ColumnRole;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.DelimitedLayout;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.LineParser;
import org.pecf.plugin.loaders.text.RatingColumns;
import org.pecf.plugin.loaders.text.TimeFormat;

/** A parser of blocks of ratings: a line {@code movie:}, then lines {@code user,rating,date}. */
final class NetflixParser implements LineParser {
  static final RatingSchema SCHEMA = new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, true);

  private static final DelimitedLayout LAYOUT =
      new DelimitedLayout(
          ",",
          false,
          List.of(ColumnRole.USER, ColumnRole.RATING, ColumnRole.TIME),
          IdKind.INTEGER,
          IdKind.INTEGER,
          TimeFormat.DATE,
          "user,rating,yyyy-mm-dd after a line 'movie:'");

  private final DelimitedParser lines = new DelimitedParser(LAYOUT, false);

  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    lines.reserve(chunk, ratings);
    byte[] bytes = chunk.bytes();
    OptionalLong movie = chunk.before();
    int position = chunk.from();
    while (position < chunk.to()) {
      int lineFeed = chunk.lineEnd(position);
      int to = lineFeed > position && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
      if (to > position && bytes[to - 1] == ':') {
        movie = OptionalLong.of(movie(chunk, position, to - 1));
      } else if (to > position && movie.isEmpty()) {
        throw chunk.problem(
            position,
            "'%s' comes before any movie. Expected a first line such as '1:', the movie's number"
                + " and a colon.",
            Excerpt.of(bytes, position, to));
      } else if (to > position) {
        lines.next(chunk, position, ratings);
        ratings.setLastItem(movie.getAsLong());
      }
      position = lineFeed + 1;
    }
  }

  /** Return the movie whose ratings come last. */
  @Override
  public OptionalLong after(Chunk chunk) {
    byte[] bytes = chunk.bytes();
    int colon = chunk.to() - 1;
    while (colon >= chunk.from() && bytes[colon] != ':') {
      colon--;
    }
    if (colon < chunk.from()) {
      return chunk.before();
    }
    int line = colon;
    while (line > chunk.from() && bytes[line - 1] != '\n') {
      line--;
    }
    // The chunk itself reports a bad number.
    return OptionalLong.of(
        Digits.canonical(bytes, line, colon) ? Digits.integer(bytes, line, colon) : 0);
  }

  private static long movie(Chunk chunk, int from, int to) {
    if (!Digits.canonical(chunk.bytes(), from, to)) {
      throw chunk.problem(
          from,
          "movie '%s' is not a 64-bit whole number without leading zeros. Expected a line such as"
              + " '1:'; correct it.",
          Excerpt.of(chunk.bytes(), from, to));
    }
    return Digits.integer(chunk.bytes(), from, to);
  }
}
