package org.pecf.plugin.loaders.netflix;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.SourceFile;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextInput;
import org.pecf.plugin.loaders.text.TextLoad;

/** Read the Netflix Prize data. */
final class NetflixLoader implements RatingLoader {
  private static final Pattern MOVIE_FILE = Pattern.compile("mv_\\d+\\.txt(\\.gz)?");
  private static final Pattern COMBINED_FILE = Pattern.compile("combined_data_\\d+\\.txt(\\.gz)?");
  private static final Pattern MOVIE = Pattern.compile("\\d+:");
  private static final Pattern RATING = Pattern.compile("\\d+,\\d,\\d{4}-\\d\\d-\\d\\d");

  private final TextLoad load;

  NetflixLoader(TextLoad load) {
    this.load = load;
  }

  @Override
  public Recognition recognise(DataSource source) {
    try {
      return SourceFile.path(source)
          .filter(Files::exists)
          .map(NetflixLoader::files)
          .flatMap(files -> Sample.ofText(files.get(0)))
          .filter(NetflixLoader::marked)
          .map(sample -> Recognition.CERTAIN)
          .orElse(Recognition.NO);
    } catch (PecfException e) {
      return Recognition.NO;
    }
  }

  private static boolean marked(Sample sample) {
    return MOVIE.matcher(sample.text(sample.lines().get(0))).matches()
        && sample.lines().size() > 1
        && RATING.matcher(sample.text(sample.lines().get(1))).matches();
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    List<TextInput> inputs =
        files(SourceFile.requiredPath(source)).stream()
            .map(TextFile::open)
            .map(file -> new TextInput(file, 0))
            .toList();
    load.run(inputs, NetflixParser::new, NetflixParser.SCHEMA, sink, context);
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> all = SourceFile.list(path);
    List<Path> movies = matching(all, MOVIE_FILE);
    List<Path> combined = matching(all, COMBINED_FILE);
    if (movies.isEmpty() && combined.isEmpty()) {
      throw PecfException.badData(
          "%s: no mv_*.txt or combined_data_*.txt in this folder. Name the folder with the unpacked"
              + " training set.",
          path);
    }
    if (!movies.isEmpty() && !combined.isEmpty()) {
      throw PecfException.badData(
          "%s: both mv_*.txt and combined_data_*.txt are in this folder, which are the same ratings"
              + " twice. Move one kind elsewhere.",
          path);
    }
    return movies.isEmpty() ? combined : movies;
  }

  private static List<Path> matching(List<Path> files, Pattern name) {
    return files.stream()
        .filter(file -> name.matcher(file.getFileName().toString()).matches())
        .toList();
  }
}
