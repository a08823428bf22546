package org.pecf.study;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;

/**
 * Say what the methods of a study have in common.
 *
 * @param pecf the progressive construction; the other methods differ from it in what makes them
 *     other methods. Its EM settings say how many components there are at most
 * @param step the alpha strategy of methods that add up residuals
 * @param others filters that stand for themselves, by id, as far as they are installed
 * @param tuned methods with a setting of their own instead of the common one; data, split, seed and
 *     what is measured are the common ones for all
 */
public record StudyBase(
    TrainingRequest pecf,
    ProviderChoice step,
    Map<String, ProviderChoice> others,
    Map<Method, TrainingRequest> tuned) {
  public StudyBase {
    others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
    tuned = Collections.unmodifiableMap(new LinkedHashMap<>(tuned));
  }

  /** Return the setting of a method that has one of its own. */
  Optional<TrainingRequest> own(Method method) {
    return Optional.ofNullable(tuned.get(method))
        .map(setting -> pecf.withEnsemble(setting.ensemble()));
  }
}
