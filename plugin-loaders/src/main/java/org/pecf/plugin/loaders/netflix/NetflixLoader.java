package org.pecf.plugin.loaders.netflix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.ColumnRole;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.DelimitedParser.Layout;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.plugin.loaders.text.TimeFormat;

/** The loader of the Netflix Prize data. */
final class NetflixLoader implements RatingLoader {
  private static final Pattern MOVIE_FILE = Pattern.compile("mv_\\d+\\.txt(\\.gz)?");
  private static final Pattern COMBINED_FILE = Pattern.compile("combined_data_\\d+\\.txt(\\.gz)?");
  private static final Pattern MOVIE = Pattern.compile("\\d+:");
  private static final Pattern RATING = Pattern.compile("\\d+,\\d,\\d{4}-\\d\\d-\\d\\d");

  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, true);

  private static final Layout LAYOUT =
      new Layout(
          ",",
          false,
          false,
          List.of(ColumnRole.USER, ColumnRole.RATING, ColumnRole.TIME),
          IdKind.INTEGER,
          IdKind.INTEGER,
          TimeFormat.DATE,
          "user,rating,yyyy-mm-dd after a line 'movie:'");

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
    return MOVIE.matcher(sample.lines().get(0)).matches()
        && sample.lines().size() > 1
        && RATING.matcher(sample.lines().get(1)).matches();
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    List<TextFile> files = files(source.requiredPath()).stream().map(TextFile::open).toList();
    reader.read(files, Parser::new, SCHEMA, sink, context);
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

  /** A parser of blocks of ratings: a line {@code movie:}, then lines {@code user,rating,date}. */
  private static final class Parser extends DelimitedParser {
    private OptionalLong movie = OptionalLong.empty();

    /** Whether the current line names a movie. */
    private boolean named;

    Parser(TextFile file) {
      super(file, LAYOUT, false);
    }

    @Override
    protected void handleField(int column, char[] text, int from, int length, boolean quoted) {
      if (column == 0) {
        named = length > 0 && text[from + length - 1] == ':';
      }
      if (named) {
        name(column, text, from, from + length - 1);
      } else if (movie.isEmpty()) {
        throw report(
            "'%s' comes before any movie. Expected a first line such as '1:', the movie's number"
                + " and a colon.");
      } else {
        super.handleField(column, text, from, length, quoted);
      }
    }

    private void name(int column, char[] text, int from, int to) {
      movie =
          column == 0 ? Digits.integer(new String(text, from, to - from)) : OptionalLong.empty();
      if (movie.isEmpty()) {
        throw report(
            "movie '%s' is not a 64-bit whole number without leading zeros. Expected a line such as"
                + " '1:'; correct it.");
      }
    }

    /** Create a report that quotes the current line without its colon. */
    private PecfException report(String format) {
      String text = text();
      String line = text.substring(0, divided(text).end());
      return report(text, 0, format, Excerpt.ofBytes(line.replaceFirst(":$", "")));
    }

    @Override
    protected void handleEnd(int columns) {
      if (!named) {
        ratings().setItem(movie.getAsLong());
        super.handleEnd(columns);
      }
    }
  }
}
