package org.pecf.plugin.loaders.movielens;

import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of MovieLens data. */
public final class MovieLensLoaderProvider implements RatingLoaderProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "movielens",
        "MovieLens: u.data, ratings.dat or ratings.csv, or a folder with one of them",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public RatingLoader create(NoOptions options) {
    return new MovieLensLoader(TextReader.standard());
  }
}
