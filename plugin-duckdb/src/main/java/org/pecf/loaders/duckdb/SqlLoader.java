package org.pecf.loaders.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.LoadContext;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;

/** Read the result of a query. */
final class SqlLoader implements RatingLoader {
  private static final List<String> ROLES = List.of("user", "item", "rating", "time");

  private final SqlOptions options;

  SqlLoader(SqlOptions options) {
    this.options = options;
  }

  /** Nothing is recognised: a query has to be written. */
  @Override
  public Recognition recognise(DataSource source) {
    return Recognition.NO;
  }

  @Override
  public void load(DataSource source, RatingSink sink, LoadContext context) {
    Path path = DuckDb.path(source);
    if (options.query().isBlank()) {
      throw new PecfException(
          ErrorCode.BAD_OPTION,
          "loader sql needs its option query, for example query=\"SELECT user, item, rating FROM"
              + " 'ratings.parquet'\".");
    }
    String query = options.query().strip();
    while (query.endsWith(";")) {
      query = query.substring(0, query.length() - 1).strip();
    }
    try (DuckDb duckDb = DuckDb.open("the query", context)) {
      if (Files.isDirectory(path)) {
        duckDb.execute("SET file_search_path = " + DuckDb.quoted(path.toString(), '\''));
      } else {
        duckDb.execute("CREATE VIEW data AS SELECT * FROM " + DuckDb.quoted(path.toString(), '\''));
      }
      List<DuckDb.Column> columns = duckDb.columns(query);
      check(columns);
      duckDb.load(
          query,
          new RatingQuery(
              columns.get(0),
              columns.get(1),
              columns.stream().skip(2).findFirst(),
              columns.stream().skip(3).findFirst()),
          sink);
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
      throw new PecfException(
          ErrorCode.BAD_DATA,
          "the query yields the columns "
              + columns.stream().map(DuckDb.Column::name).collect(Collectors.joining(", "))
              + ". It should yield user, item and, if there are, rating and time, in this order.");
    }
  }
}
