package org.pecf.plugin.duckdb;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the loader of SQL query results. */
public final class SqlLoaderProvider implements RatingLoaderProvider<SqlLoaderProvider.Options> {
  /** The options of the SQL loader. */
  public record Options(
      @Option(
              value =
                  "one SELECT of user, item and, if there are, rating and time, in this order; it"
                      + " reads the files of the folder given as data, by their names (FROM"
                      + " 'a.csv'), and no others; a file given as data is the table data",
              defaultValue = "")
          String query) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "sql", "the result of a DuckDB SELECT over the files of a folder", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public RatingLoader create(Options options) {
    return new SqlLoader(options);
  }
}
