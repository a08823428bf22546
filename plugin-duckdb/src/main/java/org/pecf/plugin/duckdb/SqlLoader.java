package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;

/** The loader of the result of a query. */
final class SqlLoader implements RatingLoader {
  private static final List<String> ROLES = List.of("user", "item", "rating", "time");

  /** The name of the view of the query; no file can have it. */
  private static final String RESULT = "\"/the query/\"";

  /** Characters that occur in names of files but not of tables. */
  private static final Pattern FILE_NAME = Pattern.compile("[./*?\\\\]");

  private final SqlLoaderProvider.Options options;

  SqlLoader(SqlLoaderProvider.Options options) {
    this.options = options;
  }

  /** Recognise nothing: the loader needs a query. */
  @Override
  public Recognition recognise(DataSource source) {
    return Recognition.NO;
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    Path path = DuckDb.path(source);
    if (options.query().isBlank()) {
      throw PecfException.badOption(
          "Loader sql needs its option query, for example query=\"SELECT user, item, rating FROM"
              + " 'ratings.parquet'\".");
    }
    try (DuckDb duckDb = DuckDb.open("the query", context)) {
      SelectStatement query = SelectStatement.parse(duckDb, options.query());
      Map<String, Path> tables = tables(path, query);
      Set<Path> files = new TreeSet<>(tables.values());
      query.texts().stream()
          .map(text -> file(path, text))
          .forEach(file -> file.ifPresent(files::add));
      duckDb.permit(files);
      ParquetLoader.checkRows(
          duckDb,
          files.stream().filter(file -> DuckDb.scan(file).startsWith("read_parquet")).toList());
      tables.forEach(
          (name, file) ->
              duckDb.execute(
                  "CREATE VIEW " + DuckDb.quoted(name, '"') + " AS FROM " + DuckDb.scan(file)));
      duckDb.execute("CREATE VIEW " + RESULT + " AS " + query.text());
      List<DuckDb.Column> columns = duckDb.columns("SELECT * FROM " + RESULT);
      check(columns);
      duckDb.load(
          "SELECT * FROM " + RESULT,
          new RatingQuery(
              columns.get(0),
              columns.get(1),
              columns.stream().skip(2).findFirst(),
              columns.stream().skip(3).findFirst()),
          sink);
    }
  }

  /**
   * Return the files that a query reads as tables: a single file as data, files of a folder by
   * name.
   */
  private static Map<String, Path> tables(Path path, SelectStatement query) {
    if (Files.isRegularFile(path)) {
      return Map.of("data", path);
    }
    if (!Files.isDirectory(path)) {
      throw PecfException.badData(
          "%s is neither a file nor a folder. Name the folder of the query's files.", path);
    }
    Map<String, Path> tables = new TreeMap<>();
    for (String name : query.tables()) {
      Optional<Path> file = file(path, name);
      file.ifPresent(found -> tables.put(name, found));
      if (file.isEmpty() && FILE_NAME.matcher(name).find()) {
        throw PecfException.badData(
            "The query names '%s', which is not a file in the folder %s. Write the name of a file"
                + " in it, without wildcards, or name another folder as the data.",
            name.replaceAll("\\p{Cntrl}", "?"), path);
      }
    }
    return tables;
  }

  /** Return the file in a folder that a text names, if there is one; links out of it are none. */
  private static Optional<Path> file(Path folder, String name) {
    try {
      Path file = folder.resolve(name).normalize();
      return name.indexOf('\\') < 0
              && Files.isDirectory(folder)
              && file.startsWith(folder)
              && Files.isRegularFile(file)
              && file.toRealPath().startsWith(folder.toRealPath())
          ? Optional.of(file)
          : Optional.empty();
    } catch (InvalidPathException | IOException e) {
      return Optional.empty();
    }
  }

  private static void check(List<DuckDb.Column> columns) {
    Optional<String> displaced =
        columns.stream()
            .map(DuckDb.Column::name)
            .filter(ROLES::contains)
            .filter(
                name ->
                    ROLES.indexOf(name) >= columns.size()
                        || !columns.get(ROLES.indexOf(name)).name().equals(name))
            .findFirst();
    if (columns.size() < 2 || columns.size() > 4 || displaced.isPresent()) {
      throw PecfException.badData(
          "The query yields the columns %s. Write it so that it yields user, item and,"
              + " if there are any, rating and time, in this order.",
          columns.stream().map(DuckDb.Column::name).collect(Collectors.joining(", ")));
    }
  }
}
