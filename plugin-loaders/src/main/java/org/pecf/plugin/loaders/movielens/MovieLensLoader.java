package org.pecf.plugin.loaders.movielens;

import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.FileNames;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of MovieLens data. */
final class MovieLensLoader implements RatingLoader {
  private static final FileNames NAMES =
      new FileNames(List.of("ratings.csv", "ratings.dat", "u.data"));

  private final TextReader reader;

  MovieLensLoader(TextReader reader) {
    this.reader = reader;
  }

  @Override
  public Recognition recognise(DataSource source) {
    return NAMES
        .sample(source)
        .flatMap(sample -> MovieLensForm.of(sample).map(form -> form.recognise(sample)))
        .orElse(Recognition.NO);
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile file = NAMES.open(source);
    Sample sample = Sample.of(file);
    MovieLensForm form = MovieLensForm.of(sample).orElseThrow(() -> unknown(file, sample));
    reader.read(
        List.of(file.startingAt(form.start(sample))),
        () -> new DelimitedParser(form.layout(), false),
        form.layout().schema(),
        sink,
        context);
  }

  private static PecfException unknown(TextFile file, Sample sample) {
    return PecfException.badData(
        "%s:1:1: '%s' does not begin a MovieLens file. Expected the header"
            + " userId,movieId,rating,timestamp, or user::movie::rating::timestamp, or"
            + " user<TAB>item<TAB>rating<TAB>timestamp; for another layout use the format csv.",
        file.path(),
        (sample.lines().isEmpty()
            ? Excerpt.of(sample.bytes(), 0, sample.bytes().length)
            : Excerpt.of(sample.text(sample.lines().get(0)))));
  }
}
