package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.construct.ConstructionEvent.WeightsFitted;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.Standardisation;
import org.pecf.engine.evaluate.CandidatePool;

/**
 * The last step of a construction: the scores of members are standardised and their weights fitted
 * together, if the plan says so, and members without weight are dropped.
 */
final class Completion {
  private final BuildPlan plan;
  private final Optional<Validation> validation;
  private final TrainingContext context;

  Completion(BuildPlan plan, Optional<Validation> validation, TrainingContext context) {
    this.plan = plan;
    this.validation = validation;
    this.context = context;
  }

  /** Return whether there is anything to do. */
  boolean isNeeded() {
    return plan.construction().standardises() || plan.weights().kind() != MemberWeights.Kind.JOINED;
  }

  /**
   * Complete an ensemble.
   *
   * @param grown the members as they joined; left empty, unless this method throws. Modified.
   */
  BuildResult of(Ensemble grown, List<MemberFinished> rounds) {
    double[] joined = grown.weights();
    if (plan.construction().standardises()) {
      for (int k = 0; k < grown.size(); k++) {
        standardise(grown, k);
      }
    }
    double[] weights =
        switch (plan.weights().kind()) {
          case JOINED -> joined;
          case SELECTED, STACKED -> fit(grown);
          case GIVEN -> plan.weights().given().stream().mapToDouble(Double::doubleValue).toArray();
        };
    List<Integer> kept = kept(grown, weights);
    return new BuildResult(weighted(grown, weights, kept), kept, rounds, Optional.empty(), true);
  }

  private void standardise(Ensemble grown, int member) {
    ScoreModel model = grown.members().get(member).model();
    float[] factors = Standardisation.factors(model, context.compute().fields(), context.run());
    grown.replace(
        member,
        Standardisation.scaled(model, factors, context.run().allocator()),
        grown.members().get(member).fit().map(MemberFit::withStandardised));
  }

  /** Fit the weights on the validation part. */
  private double[] fit(Ensemble grown) {
    CandidatePool.Source source =
        new CandidatePool.Source(
            grown.members().stream().map(Member::model).toList(),
            validation.orElseThrow().part(),
            plan.metrics(),
            plan.selection(),
            context.compute().fields(),
            context.run());
    WeightSearch.Found found =
        plan.weights().kind() == MemberWeights.Kind.STACKED
            ? StackedWeights.fit(source)
            : WeightSearch.search(source.bestOfEach());
    context
        .run()
        .listener()
        .on(
            new WeightsFitted(
                grown.members().stream().map(Member::filterId).toList(),
                Arrays.stream(found.weights()).boxed().toList(),
                plan.weights(),
                plan.selection(),
                found.value()));
    return found.weights();
  }

  /** Return which members have a weight, or others that have one were trained by. */
  private static List<Integer> kept(Ensemble grown, double[] weights) {
    TreeSet<Integer> needed = new TreeSet<>();
    for (int k = grown.size() - 1; k >= 0; k--) {
      if (weights[k] != 0) {
        needed.add(k);
      }
      Optional<MemberFit> fit = grown.members().get(k).fit().filter(MemberFit::usesPrediction);
      if (needed.contains(k) && fit.isPresent()) {
        IntStream.range(0, fit.get().before().size())
            .filter(before -> fit.get().before().get(before) != 0)
            .forEach(needed::add);
      }
    }
    return List.copyOf(needed);
  }

  /** Return an ensemble of some of the members. */
  private static Ensemble weighted(Ensemble grown, double[] weights, List<Integer> kept) {
    Ensemble ensemble = new Ensemble(grown.shape());
    List<Member> members = grown.release();
    for (int k = 0; k < members.size(); k++) {
      Member member = members.get(k);
      if (kept.contains(k)) {
        ensemble.add(
            member.model(),
            member.filterId(),
            Combination.ADDITIVE,
            weights[k],
            member.fit().map(fit -> fit.among(kept)));
      } else {
        member.model().close();
      }
    }
    return ensemble;
  }
}
