package org.pecf.plugin.loaders.citeulike;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.plugin.loaders.text.TextReader;

/** The provider of the loader of CiteULike data. */
public final class CiteULikeLoaderProvider
    implements RatingLoaderProvider<CiteULikeLoaderProvider.Options> {
  /** The options of the CiteULike loader. */
  public record Options(
      @Option(
              value =
                  "meaning of the first number of a line: counted = the number of items that"
                      + " follow, labelled = the user's id, auto = found out from the content",
              defaultValue = "auto")
          Layout layout) {}

  /** The meaning of the first number of a line. */
  public enum Layout {
    /** Found out from the content. */
    AUTO,
    /** The number of items that follow; users are numbered by line, from 0. */
    COUNTED,
    /** The user's id. */
    LABELLED
  }

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "citeulike",
        "CiteULike's users.dat: a line of item numbers per user, led by their count or by the"
            + " user's id",
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public RatingLoader create(Options options) {
    return new CiteULikeLoader(options.layout(), TextReader.standard());
  }
}
