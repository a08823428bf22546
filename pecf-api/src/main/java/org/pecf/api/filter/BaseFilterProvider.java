package org.pecf.api.filter;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
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

  /**
   * Return the settings that are worth trying on a data set; nothing if a search for settings has
   * to leave the filter out.
   *
   * @param positives the number of positives of the training part
   * @param given the options that a search leaves as they are: texts by option. Not modified.
   */
  default Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    return Optional.empty();
  }
}
