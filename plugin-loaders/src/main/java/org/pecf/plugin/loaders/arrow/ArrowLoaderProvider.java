package org.pecf.plugin.loaders.arrow;

import java.lang.invoke.MethodHandles;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of the loader of Arrow IPC files and streams. */
public final class ArrowLoaderProvider implements RatingLoaderProvider<ArrowOptions> {
  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        "arrow", "Arrow IPC files and streams, also known as Feather 2", SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<ArrowOptions> options() {
    return OptionSchema.of(MethodHandles.lookup(), ArrowOptions.class);
  }

  @Override
  public RatingLoader create(ArrowOptions options) {
    return new ArrowLoader(options);
  }
}
