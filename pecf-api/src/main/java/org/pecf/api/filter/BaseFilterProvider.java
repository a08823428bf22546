package org.pecf.api.filter;

import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a kind of collaborative filter that ensembles are made of.
 *
 * @param <O> the options record: hyper-parameters only
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface BaseFilterProvider<O extends Record> extends Provider<O, BaseFilter> {
  /**
   * Return the fitter of new rows of models with {@link org.pecf.api.memory.RowRule.OfFilter};
   * nothing if the filter trains no such models.
   */
  default Optional<RowFitter> rowFitter() {
    return Optional.empty();
  }
}
