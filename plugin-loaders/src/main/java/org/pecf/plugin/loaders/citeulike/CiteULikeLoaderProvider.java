package org.pecf.plugin.loaders.citeulike;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of CiteULike data. */
public final class CiteULikeLoaderProvider implements RatingLoaderProvider<CiteULikeOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "citeulike",
        "CiteULike's users.dat: a line of item numbers per user, led by their count or by the"
            + " user's id",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<CiteULikeOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), CiteULikeOptions.class);
  }

  @Override
  public RatingLoader create(CiteULikeOptions options) {
    return new CiteULikeLoader(options, TextReader.standard());
  }
}
