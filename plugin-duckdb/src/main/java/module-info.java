import org.jspecify.annotations.NullMarked;

/**
 * Loaders of ratings by DuckDB: Parquet files, and results of SQL queries over files.
 *
 * @provides org.pecf.api.data.RatingLoaderProvider
 */
@NullMarked
module org.pecf.plugin.duckdb {
  requires duckdb.jdbc;
  requires java.sql;
  // DuckDB finds it by reflection to pass on results as Arrow vectors.
  requires org.apache.arrow.c;
  requires org.pecf.api;

  provides org.pecf.api.data.RatingLoaderProvider with
      org.pecf.plugin.duckdb.ParquetLoaderProvider,
      org.pecf.plugin.duckdb.SqlLoaderProvider;
}
