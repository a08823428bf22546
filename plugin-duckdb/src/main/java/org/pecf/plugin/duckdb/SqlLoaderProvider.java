package org.pecf.plugin.duckdb;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the loader of SQL query results. */
public final class SqlLoaderProvider implements RatingLoaderProvider<SqlOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "sql", "the result of a DuckDB SELECT over the files of a folder", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<SqlOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), SqlOptions.class);
  }

  @Override
  public RatingLoader create(SqlOptions options) {
    return new SqlLoader(options);
  }
}
