package org.pecf.plugin.loaders.csv;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of delimited text. */
public final class CsvLoaderProvider implements RatingLoaderProvider<CsvOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "csv",
        "CSV, TSV and other delimited text, with or without a header, also packed with gzip",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CsvOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CsvOptions.class);
  }

  @Override
  public RatingLoader create(CsvOptions options) {
    return new CsvLoader(options, TextReader.standard());
  }
}
