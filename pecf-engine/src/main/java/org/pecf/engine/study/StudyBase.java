package org.pecf.engine.study;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.TrainingRequest;

/**
 * Say what the methods of a study have in common.
 *
 * @param pecf the progressive construction; the other methods differ from it in what makes them
 *     other methods. Its EM settings say how many components there are at most
 * @param step the alpha strategy of methods that add up residuals
 * @param others filters that stand for themselves, by id, as far as they are installed
 */
public record StudyBase(
    TrainingRequest pecf, ProviderChoice step, Map<String, ProviderChoice> others) {
  public StudyBase {
    others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
  }
}
