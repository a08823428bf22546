package org.pecf.plugin.loaders.netflix;

import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of the Netflix Prize data. */
public final class NetflixLoaderProvider implements RatingLoaderProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "netflix",
        "Netflix Prize: mv_*.txt or combined_data_*.txt, one file or the folder",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public RatingLoader create(NoOptions options) {
    return new NetflixLoader(TextReader.standard());
  }
}
