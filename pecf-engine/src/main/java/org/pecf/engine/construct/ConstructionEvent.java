package org.pecf.engine.construct;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.TrainingStep;
import org.pecf.engine.evaluate.MetricKey;

/** The events of a construction, in the order in which they come. */
public sealed interface ConstructionEvent extends RunEvent {
  /**
   * The event that the training of one of several independently started ensembles begins.
   *
   * @param chain counted from 1
   * @param chains the number of chains
   */
  record ChainStarted(int chain, int chains) implements ConstructionEvent {
    @Override
    public String summary() {
      return "chain " + chain + "/" + chains;
    }
  }

  /**
   * The event that the training of a member starts.
   *
   * @param member counted from 1
   * @param members the largest number of members
   * @param filter the id of its filter
   */
  record MemberStarted(int member, int members, String filter) implements ConstructionEvent {
    @Override
    public String summary() {
      return "member " + member + "/" + members + ": training " + filter;
    }
  }

  /**
   * The event that a member is the same as an earlier one: its filter draws nothing at random, and
   * nothing else has changed.
   *
   * @param member counted from 1
   * @param earlier the earlier member, counted from 1
   * @param filter the id of their filter
   */
  record MemberRepeated(int member, int earlier, String filter) implements ConstructionEvent {
    @Override
    public String summary() {
      return String.format(
          "member %d is the same as member %d: %s draws nothing at random, so that another one of"
              + " it adds nothing here; use one member, several filters, or weights that change",
          member, earlier, filter);
    }
  }

  /**
   * The event that a member was found in the library and need not be trained.
   *
   * @param filter the id of its filter
   * @param library the folder of the library
   */
  record MemberFound(String filter, Path library) implements ConstructionEvent {
    @Override
    public String summary() {
      return "a member of " + filter + " was found in " + library;
    }
  }

  /**
   * The event that a member has joined the ensemble.
   *
   * @param member counted from 1
   * @param members the largest number of members
   * @param filter the id of its filter
   * @param alpha its step length
   * @param lastStep the last step of its training, if the filter reported any
   * @param plans how the problems of its training were computed, in order
   * @param validation the metrics of the ensemble on the validation part; empty if there is none
   * @param seconds the duration of its round
   */
  record MemberFinished(
      int member,
      int members,
      String filter,
      double alpha,
      Optional<TrainingStep> lastStep,
      List<LeastSquaresPlan> plans,
      Map<String, Double> validation,
      double seconds)
      implements ConstructionEvent {
    public MemberFinished {
      plans = List.copyOf(plans);
      validation = Collections.unmodifiableMap(new LinkedHashMap<>(validation));
    }

    @Override
    public String summary() {
      StringBuilder line = new StringBuilder();
      line.append(
          String.format(
              Locale.ROOT,
              "member %d/%d: %s joined with alpha %.4f after %.1f s",
              member,
              members,
              filter,
              alpha,
              seconds));
      validation.forEach(
          (key, value) -> {
            if (key.startsWith("recall@") || key.equals("wmse")) {
              line.append(String.format(Locale.ROOT, ", %s %.4f", key, value));
            }
          });
      return line.toString();
    }
  }

  /**
   * The event that an iteration of expectation maximisation has ended.
   *
   * @param iteration counted from 1; 0 is the start
   * @param iterations the largest number of iterations
   * @param logLikelihood the penalised observed-data log-likelihood
   * @param priors pi
   * @param deviation sigma_r
   */
  record EmIteration(
      int iteration, int iterations, double logLikelihood, List<Double> priors, double deviation)
      implements ConstructionEvent {
    public EmIteration {
      priors = List.copyOf(priors);
    }

    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "EM iteration %d/%d: penalised log-likelihood %.6g, sigma %.4f, priors %s",
          iteration,
          iterations,
          logLikelihood,
          deviation,
          priors.stream().map(prior -> String.format(Locale.ROOT, "%.3f", prior)).toList());
    }
  }

  /**
   * The event that the weights of all members were fitted together.
   *
   * @param filters the id of each member's filter
   * @param weights the weight of each member; members of weight zero are dropped unless others were
   *     trained by their predictions
   * @param rule the rule by which they were fitted
   * @param metric the metric that selected weights are fitted by, and that measures all
   * @param value its value on the best candidates of the validation part
   */
  record WeightsFitted(
      List<String> filters,
      List<Double> weights,
      MemberWeights rule,
      MetricKey metric,
      double value)
      implements ConstructionEvent {
    public WeightsFitted {
      filters = List.copyOf(filters);
      weights = List.copyOf(weights);
    }

    @Override
    public String summary() {
      StringJoiner members = new StringJoiner(", ");
      for (int k = 0; k < weights.size(); k++) {
        members.add(String.format(Locale.ROOT, "%s %.3f", filters.get(k), weights.get(k)));
      }
      return String.format(
          Locale.ROOT, "weights %s on validation (%s %.4f): %s", rule, metric, value, members);
    }
  }

  /**
   * The event that a checkpoint could not be written; the one before it stays, and training goes
   * on.
   *
   * @param folder the folder of the checkpoint
   * @param reason the reason
   */
  record CheckpointFailed(Path folder, String reason) implements ConstructionEvent {
    @Override
    public String summary() {
      return String.format(
          "The checkpoint %s could not be written (%s), so a kill would now cost more than one"
              + " member. Make room; the next member tries again.",
          folder, reason);
    }
  }
}
