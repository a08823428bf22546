package org.pecf.engine.run;

import java.util.List;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;

/**
 * Say everything about a run: the same request on the same data gives the same model.
 *
 * @param data which ratings
 * @param split how they are divided
 * @param filters the base filters, used in turn
 * @param construction how the ensemble is grown
 * @param weighting the weighting scheme
 * @param alpha the alpha strategy
 * @param rounds how many members are added to the first one at most
 * @param patience after how many rounds without a better validation figure to stop and go back to
 *     the best; 0 keeps all rounds
 * @param selection the validation figure that decides
 * @param em how construction em goes about it
 * @param chains how many independently started ensembles are averaged
 * @param confidence c
 * @param seed the root of all randomness
 * @param compute what to compute on
 * @param evaluation what to measure
 */
public record TrainingRequest(
    DataRequest data,
    SplitRule split,
    List<ProviderChoice> filters,
    Construction construction,
    ProviderChoice weighting,
    ProviderChoice alpha,
    int rounds,
    int patience,
    MetricKey selection,
    EmSettings em,
    int chains,
    Confidence confidence,
    long seed,
    ComputeRequest compute,
    EvaluationRequest evaluation) {
  public TrainingRequest {
    filters = List.copyOf(filters);
  }
}
