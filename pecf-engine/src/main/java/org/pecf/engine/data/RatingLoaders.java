package org.pecf.engine.data;

import java.util.Collection;
import org.pecf.api.data.RatingLoader;
import org.pecf.engine.plugin.ProviderChoice;

/** Look up rating loaders: the seam to the catalog of plugins. */
public interface RatingLoaders {
  /** Return the ids of all loaders. */
  Collection<String> ids();

  /**
   * Create a loader.
   *
   * @throws org.pecf.api.PecfException if there is none of that id, or an option is wrong
   */
  RatingLoader loader(ProviderChoice choice);
}
