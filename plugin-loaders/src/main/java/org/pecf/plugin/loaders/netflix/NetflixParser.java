package org.pecf.plugin.loaders.netflix;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.pecf.api.data.ColumnRole;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.DelimitedLayout;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.LineParser;
import org.pecf.plugin.loaders.text.RatingColumns;
import org.pecf.plugin.loaders.text.TextFile;
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

  private static final int LOOK_BACK_BYTES = 1 << 16;
  private static final int LONGEST_NUMBER = 20;

  private final DelimitedParser lines = new DelimitedParser(LAYOUT, false);
  private @Nullable TextFile file;
  private long end;
  private OptionalLong movie = OptionalLong.empty();

  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    if (chunk.from() == chunk.to()) {
      return;
    }
    findMovie(chunk);
    ratings.reserve((chunk.to() - chunk.from()) / LAYOUT.roles().size() + 1);
    byte[] bytes = chunk.bytes();
    int position = chunk.from();
    while (position < chunk.to()) {
      int before = ratings.count();
      if (movie.isPresent()) {
        int next = plainLine(bytes, position, ratings);
        if (next > position) {
          position = next;
          continue;
        }
      }
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
      } else {
        lines.line(chunk, position, ratings);
        if (ratings.count() > before) {
          ratings.setItem(before, movie.getAsLong());
        }
      }
      position = lineFeed + 1;
    }
    end = chunk.offset() + chunk.to();
  }

  /** Read a line such as {@code 1488844,3,2005-09-06}; return the next line, or else this one. */
  private int plainLine(byte[] bytes, int line, RatingColumns ratings) {
    long word = Digits.word(bytes, line);
    int digits = Digits.count(word);
    int rating = line + digits + 1;
    if (digits == 0
        || digits == 8
        || bytes[line] == '0'
        || bytes[rating - 1] != ','
        || bytes[rating] < '0'
        || bytes[rating] > '9'
        || bytes[rating + 1] != ','
        || bytes[rating + 12] != '\n') {
      return line;
    }
    OptionalLong day = TimeFormat.DATE.read(bytes, rating + 2, rating + 12);
    if (day.isEmpty()) {
      return line;
    }
    ratings.add(
        Digits.value(word, digits), movie.getAsLong(), bytes[rating] - '0', day.getAsLong());
    return rating + 13;
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

  /** Find the movie whose ratings a chunk begins with, going back in the file if necessary. */
  private void findMovie(Chunk chunk) {
    long start = chunk.offset() + chunk.from();
    if (chunk.file() == file && start == end) {
      return;
    }
    file = chunk.file();
    movie = OptionalLong.empty();
    for (long to = start; to > 0 && movie.isEmpty(); to -= Math.min(to, LOOK_BACK_BYTES)) {
      long from = Math.max(0, to - LOOK_BACK_BYTES);
      byte[] bytes = file.read(from, (int) (to - from));
      for (int i = bytes.length - 1; i >= 0 && movie.isEmpty(); i--) {
        if (bytes[i] == ':') {
          movie = OptionalLong.of(numberBefore(chunk.file(), from + i));
        }
      }
    }
  }

  /** Return the number that ends at a position; the chunk with that line reports a bad one. */
  private static long numberBefore(TextFile file, long position) {
    long from = Math.max(0, position - LONGEST_NUMBER);
    byte[] bytes = file.read(from, (int) (position - from));
    int first = bytes.length;
    while (first > 0 && bytes[first - 1] >= '0' && bytes[first - 1] <= '9') {
      first--;
    }
    return Digits.canonical(bytes, first, bytes.length)
        ? Digits.integer(bytes, first, bytes.length)
        : 0;
  }
}
