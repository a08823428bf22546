package org.pecf.plugin.duckdb;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the loader of Parquet files. */
public final class ParquetLoaderProvider
    implements RatingLoaderProvider<ParquetLoaderProvider.Options> {
  /** The options of the Parquet loader. */
  public record Options(
      @Option(value = "name of the users' column; found by its usual names", defaultValue = "")
          String userColumn,
      @Option(value = "name of the items' column; found by its usual names", defaultValue = "")
          String itemColumn,
      @Option(
              value =
                  "name of the ratings' column, or none; found by its usual names, and without one"
                      + " all are positives",
              defaultValue = "")
          String ratingColumn,
      @Option(
              value =
                  "name of the times' column, or none; found by its usual names if there is one",
              defaultValue = "")
          String timeColumn) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "parquet", "Parquet files, or a folder of them", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public RatingLoader create(Options options) {
    return new ParquetLoader(options);
  }
}
