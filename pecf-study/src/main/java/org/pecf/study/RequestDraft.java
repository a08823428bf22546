package org.pecf.study;

import java.util.List;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.ComputeRequest;
import org.pecf.engine.run.TrainingRequest;
import org.pecf.engine.split.Confidence;
import org.pecf.engine.split.SplitRule;

/** Change some parts of a request. */
final class RequestDraft {
  private final TrainingRequest base;
  private DataRequest data;
  private SplitRule split;
  private EvaluationRequest evaluation;
  private ComputeRequest compute;
  private List<ProviderChoice> filters;
  private Construction construction;
  private ProviderChoice weighting;
  private ProviderChoice alpha;
  private int rounds;
  private int patience;
  private EmSettings em;
  private int chains;
  private Confidence confidence;
  private long seed;

  RequestDraft(TrainingRequest base) {
    this.base = base;
    this.data = base.data();
    this.split = base.split();
    this.evaluation = base.evaluation();
    this.compute = base.compute();
    this.filters = base.filters();
    this.construction = base.construction();
    this.weighting = base.weighting();
    this.alpha = base.alpha();
    this.rounds = base.rounds();
    this.patience = base.patience();
    this.em = base.em();
    this.chains = base.chains();
    this.confidence = base.confidence();
    this.seed = base.seed();
  }

  /** Take over how another request builds its ensemble; data, split and measures stay. */
  RequestDraft ensemble(TrainingRequest other) {
    filters = other.filters();
    construction = other.construction();
    weighting = other.weighting();
    alpha = other.alpha();
    rounds = other.rounds();
    patience = other.patience();
    em = other.em();
    chains = other.chains();
    confidence = other.confidence();
    return this;
  }

  /** Draw the ratings from elsewhere. */
  RequestDraft data(DataRequest changed) {
    data = changed;
    return this;
  }

  /** Divide the ratings by another rule, and measure something else. */
  RequestDraft protocol(SplitRule changedSplit, EvaluationRequest changedEvaluation) {
    split = changedSplit;
    evaluation = changedEvaluation;
    return this;
  }

  RequestDraft compute(ComputeRequest changed) {
    compute = changed;
    return this;
  }

  RequestDraft filters(List<ProviderChoice> changed) {
    filters = changed;
    return this;
  }

  /** Set an option of all filters. */
  RequestDraft filterOption(String key, String value) {
    return filters(filters.stream().map(filter -> filter.with(key, value)).toList());
  }

  RequestDraft construction(Construction changed) {
    construction = changed;
    return this;
  }

  RequestDraft weighting(ProviderChoice changed) {
    weighting = changed;
    return this;
  }

  RequestDraft alpha(ProviderChoice changed) {
    alpha = changed;
    return this;
  }

  RequestDraft rounds(int changed) {
    rounds = changed;
    return this;
  }

  RequestDraft em(EmSettings changed) {
    em = changed;
    return this;
  }

  RequestDraft seed(long changed) {
    seed = changed;
    return this;
  }

  TrainingRequest request() {
    return new TrainingRequest(
        data,
        split,
        filters,
        construction,
        weighting,
        alpha,
        rounds,
        patience,
        base.selection(),
        em,
        chains,
        confidence,
        seed,
        compute,
        evaluation);
  }
}
