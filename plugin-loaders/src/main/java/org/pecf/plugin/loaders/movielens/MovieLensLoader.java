package org.pecf.plugin.loaders.movielens;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.ColumnRole;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.DelimitedParser.Layout;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.FileNames;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.plugin.loaders.text.TimeFormat;

/** The loader of MovieLens data. */
final class MovieLensLoader implements RatingLoader {
  private static final FileNames NAMES =
      new FileNames(List.of("ratings.csv", "ratings.dat", "u.data"));

  private final TextReader reader;

  MovieLensLoader(TextReader reader) {
    this.reader = reader;
  }

  /** The forms in which MovieLens data is published. */
  enum Form {
    /** MovieLens 20M and later, and latest: with a header. */
    RATINGS_CSV(",", "user,movie,rating,timestamp", "userId,movieId,rating,timestamp"),
    /** MovieLens 1M and 10M. */
    RATINGS_DAT("::", "user::movie::rating::timestamp", "\\d+::\\d+::\\d+(\\.\\d+)?::\\d+"),
    /** MovieLens 100K. */
    U_DATA("\t", "user<TAB>item<TAB>rating<TAB>timestamp", "\\d+\t\\d+\t[1-5]\t\\d{9,10}");

    private final Layout layout;
    private final Pattern mark;

    Form(String delimiter, String expected, String mark) {
      this.layout =
          new Layout(
              delimiter,
              false,
              delimiter.equals(","),
              List.of(ColumnRole.USER, ColumnRole.ITEM, ColumnRole.RATING, ColumnRole.TIME),
              IdKind.INTEGER,
              IdKind.INTEGER,
              TimeFormat.SECONDS,
              expected);
      this.mark = Pattern.compile(mark);
    }

    Layout layout() {
      return layout;
    }

    /** Return the form whose header or delimiters the first line has. */
    private static Optional<Form> of(Sample sample) {
      if (sample.lines().isEmpty()) {
        return Optional.empty();
      }
      String first = sample.lines().get(0);
      if (RATINGS_CSV.mark.matcher(first).matches()) {
        return Optional.of(RATINGS_CSV);
      }
      if (first.contains("::")) {
        return Optional.of(RATINGS_DAT);
      }
      return first.contains("\t") ? Optional.of(U_DATA) : Optional.empty();
    }

    /** Return how certain it is that a sample has this form. */
    private Recognition recognise(Sample sample) {
      if (this == RATINGS_CSV) {
        return Recognition.CERTAIN;
      }
      long matching = sample.lines().stream().filter(line -> mark.matcher(line).matches()).count();
      // A stray bad line should be reported by its number, not keep the file from being recognised.
      if (matching == 0 || matching < 0.9 * sample.lines().size()) {
        return Recognition.NO;
      }
      return this == RATINGS_DAT ? Recognition.CERTAIN : Recognition.LIKELY;
    }
  }

  @Override
  public Recognition recognise(DataSource source) {
    return NAMES
        .sample(source)
        .flatMap(sample -> Form.of(sample).map(form -> form.recognise(sample)))
        .orElse(Recognition.NO);
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile file = NAMES.open(source);
    Sample sample = Sample.of(file);
    Layout layout = Form.of(sample).orElseThrow(() -> unknown(file, sample)).layout();
    reader.read(
        List.of(file),
        text -> new DelimitedParser(text, layout, false),
        layout.schema(),
        sink,
        context);
  }

  private static PecfException unknown(TextFile file, Sample sample) {
    return PecfException.badData(
        "%s:1:1: '%s' does not begin a MovieLens file. Expected the header"
            + " userId,movieId,rating,timestamp, or user::movie::rating::timestamp, or"
            + " user<TAB>item<TAB>rating<TAB>timestamp; for another layout use the format csv.",
        file.path(), Excerpt.of(sample.lines().isEmpty() ? sample.text() : sample.lines().get(0)));
  }
}
