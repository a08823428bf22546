package org.pecf.api.data;

import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a way to read ratings.
 *
 * @param <O> the options record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RatingLoaderProvider<O extends Record> extends Provider<O, RatingLoader> {
  /**
   * Return whether the loader has embedded data. Only loaders that have are asked whether they
   * recognise a location {@code builtin:NAME}; no other is created for it.
   */
  default boolean embedsData() {
    return false;
  }
}
