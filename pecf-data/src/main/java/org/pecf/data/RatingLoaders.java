package org.pecf.data;

import java.util.Collection;
import org.pecf.api.data.RatingLoader;
import org.pecf.platform.plugin.ProviderChoice;

/** The available rating loaders, by id. */
public interface RatingLoaders {
  /** Return the ids of all loaders. */
  Collection<String> ids();

  /**
   * Create a loader.
   *
   * @throws org.pecf.api.PecfException if there is none with that id, or an option is wrong
   */
  RatingLoader loader(ProviderChoice choice);
}
