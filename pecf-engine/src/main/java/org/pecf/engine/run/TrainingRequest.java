package org.pecf.engine.run;

import java.util.List;
import org.pecf.engine.construct.Confidence;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * Say everything about a run: the same request on the same data gives the same model.
 *
 * @param data which ratings
 * @param split how they are divided, as text: {@code paper}, {@code cells:3:1:1}, {@code
 *     positives:8:1:1}, {@code leave-one-out}, {@code temporal:8:1:1}, {@code files}
 * @param filters the base filters, used in turn
 * @param construction the name of a construction: {@code single}, {@code progressive}, ...
 * @param weighting the weighting scheme
 * @param alpha the alpha strategy
 * @param rounds how many members are added to the first one at most
 * @param patience after how many rounds without a better validation metric to stop; 0 never
 * @param confidence c
 * @param seed the root of all randomness
 * @param compute what to compute on
 * @param evaluation what to measure
 */
public record TrainingRequest(
    DataRequest data,
    String split,
    List<ProviderChoice> filters,
    String construction,
    ProviderChoice weighting,
    ProviderChoice alpha,
    int rounds,
    int patience,
    Confidence confidence,
    long seed,
    ComputeRequest compute,
    EvaluationRequest evaluation) {
  public TrainingRequest {
    filters = List.copyOf(filters);
  }
}
