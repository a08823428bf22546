package org.pecf.plugin.loaders.netflix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of the Netflix Prize data. */
final class NetflixLoader implements RatingLoader {
  private static final Pattern MOVIE_FILE = Pattern.compile("mv_\\d+\\.txt(\\.gz)?");
  private static final Pattern COMBINED_FILE = Pattern.compile("combined_data_\\d+\\.txt(\\.gz)?");
  private static final Pattern MOVIE = Pattern.compile("\\d+:");
  private static final Pattern RATING = Pattern.compile("\\d+,\\d,\\d{4}-\\d\\d-\\d\\d");

  private final TextReader reader;

  NetflixLoader(TextReader reader) {
    this.reader = reader;
  }

  @Override
  public Recognition recognise(DataSource source) {
    try {
      return source
          .path()
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
    List<TextFile> files = files(source.requiredPath()).stream().map(TextFile::open).toList();
    reader.read(files, NetflixParser::new, NetflixParser.SCHEMA, sink, context);
  }

  private static List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> all = list(path);
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

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw PecfException.badData(
              "%s cannot be read: %s. Check the folder and its disk.", folder, e.getMessage())
          .causedBy(e);
    }
  }

  private static List<Path> matching(List<Path> files, Pattern name) {
    return files.stream()
        .filter(file -> name.matcher(file.getFileName().toString()).matches())
        .toList();
  }
}
