package org.pecf.plugin.duckdb;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the loader of Parquet files. */
public final class ParquetLoaderProvider implements RatingLoaderProvider<ParquetOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "parquet", "Parquet files, or a folder of them", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<ParquetOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), ParquetOptions.class);
  }

  @Override
  public RatingLoader create(ParquetOptions options) {
    return new ParquetLoader(options);
  }
}
