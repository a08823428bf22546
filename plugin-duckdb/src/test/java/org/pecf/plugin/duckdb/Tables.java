package org.pecf.plugin.duckdb;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/** Parquet files, written by DuckDB itself. */
final class Tables {
  private Tables() {}

  static Path write(Path folder, String name, String query) {
    Path file = folder.resolve(name);
    try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet)");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return file;
  }
}
