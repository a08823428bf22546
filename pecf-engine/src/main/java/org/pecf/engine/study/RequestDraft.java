package org.pecf.engine.study;

import java.util.List;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.TrainingRequest;

/** Change some parts of a request. */
final class RequestDraft {
  private final TrainingRequest base;
  private List<ProviderChoice> filters;
  private Construction construction;
  private ProviderChoice weighting;
  private ProviderChoice alpha;
  private int rounds;
  private EmSettings em;
  private long seed;

  RequestDraft(TrainingRequest base) {
    this.base = base;
    this.filters = base.filters();
    this.construction = base.construction();
    this.weighting = base.weighting();
    this.alpha = base.alpha();
    this.rounds = base.rounds();
    this.em = base.em();
    this.seed = base.seed();
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
        base.data(),
        base.split(),
        filters,
        construction,
        weighting,
        alpha,
        rounds,
        base.patience(),
        base.selection(),
        em,
        base.chains(),
        base.confidence(),
        seed,
        base.compute(),
        base.evaluation());
  }
}
