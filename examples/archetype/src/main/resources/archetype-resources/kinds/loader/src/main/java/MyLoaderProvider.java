package ${package};

import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.NoOptions;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of ${id}. */
public final class MyLoaderProvider implements RatingLoaderProvider<NoOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription("${id}", "user, item and rating, separated by tabs after a line of its own", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<NoOptions> options() {
    return NoOptions.schema();
  }

  @Override
  public RatingLoader create(NoOptions options) {
    return new MyLoader();
  }
}
