package org.pecf.plugin.loaders.movielens;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.Recognition;
import org.pecf.api.support.ColumnRole;
import org.pecf.plugin.loaders.text.DelimitedLayout;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TimeFormat;

/** The forms in which MovieLens data is published. */
enum MovieLensForm {
  /** MovieLens 20M and later, and latest: with a header. */
  RATINGS_CSV(",", "user,movie,rating,timestamp", "userId,movieId,rating,timestamp"),
  /** MovieLens 1M and 10M. */
  RATINGS_DAT("::", "user::movie::rating::timestamp", "\\d+::\\d+::\\d+(\\.\\d+)?::\\d+"),
  /** MovieLens 100K. */
  U_DATA("\t", "user<TAB>item<TAB>rating<TAB>timestamp", "\\d+\t\\d+\t[1-5]\t\\d{9,10}");

  private final DelimitedLayout layout;
  private final Pattern mark;

  MovieLensForm(String delimiter, String expected, String mark) {
    this.layout =
        new DelimitedLayout(
            delimiter,
            false,
            List.of(ColumnRole.USER, ColumnRole.ITEM, ColumnRole.RATING, ColumnRole.TIME),
            IdKind.INTEGER,
            IdKind.INTEGER,
            TimeFormat.SECONDS,
            expected);
    this.mark = Pattern.compile(mark);
  }

  DelimitedLayout layout() {
    return layout;
  }

  /** Return the position at which ratings begin. */
  long start(Sample sample) {
    return this == RATINGS_CSV ? sample.lines().get(0).next() : sample.start();
  }

  /** Return the form whose header or delimiters the first line has. */
  static Optional<MovieLensForm> of(Sample sample) {
    if (sample.lines().isEmpty()) {
      return Optional.empty();
    }
    String first = sample.text(sample.lines().get(0));
    if (RATINGS_CSV.mark.matcher(first).matches()) {
      return Optional.of(RATINGS_CSV);
    }
    if (first.contains("::")) {
      return Optional.of(RATINGS_DAT);
    }
    return first.contains("\t") ? Optional.of(U_DATA) : Optional.empty();
  }

  /** Return how certain it is that a sample has this form. */
  Recognition recognise(Sample sample) {
    if (this == RATINGS_CSV) {
      return Recognition.CERTAIN;
    }
    long matching =
        sample.lines().stream().filter(line -> mark.matcher(sample.text(line)).matches()).count();
    // A stray bad line should be reported by its number, not keep the file from being recognised.
    if (matching == 0 || matching < 0.9 * sample.lines().size()) {
      return Recognition.NO;
    }
    return this == RATINGS_DAT ? Recognition.CERTAIN : Recognition.LIKELY;
  }
}
