package org.pecf.plugin.loaders.movielens;

import java.nio.file.Path;
import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.SourceFile;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextInput;
import org.pecf.plugin.loaders.text.TextLoad;

/** Read MovieLens data. */
final class MovieLensLoader implements RatingLoader {
  private static final List<String> NAMES = List.of("ratings.csv", "ratings.dat", "u.data");

  private final TextLoad load;

  MovieLensLoader(TextLoad load) {
    this.load = load;
  }

  @Override
  public Recognition recognise(DataSource source) {
    return SourceFile.path(source)
        .map(path -> SourceFile.named(path, NAMES))
        .filter(files -> !files.isEmpty())
        .flatMap(files -> Sample.ofText(files.get(0)))
        .flatMap(sample -> MovieLensForm.of(sample).map(form -> form.recognise(sample)))
        .orElse(Recognition.NO);
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    Path path = SourceFile.requiredPath(source);
    TextFile file = TextFile.open(SourceFile.single(path, NAMES, SourceFile.named(path, NAMES)));
    Sample sample = Sample.of(file);
    MovieLensForm form = MovieLensForm.of(sample).orElseThrow(() -> unknown(file, sample));
    load.run(
        List.of(new TextInput(file, form.start(sample))),
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
