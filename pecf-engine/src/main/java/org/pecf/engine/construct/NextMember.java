package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.MetricKey;

/**
 * The model that improves a mixture most, judged by cross-fitting: weights are fitted to the lists
 * of some users and judged by the lists of others, so that a model is not chosen for what its
 * weight learnt from the very users it is judged by.
 *
 * @param model its number among the models of the source
 * @param weights the weights of the members, then its own
 * @param before the metric of the mixture without it
 * @param after the metric of the mixture with it
 * @param helps whether the mixture is better with it beyond chance: by the metric or by NDCG at its
 *     cutoff, by more than the standard error over users, and by neither worse
 */
public record NextMember(
    int model, List<Double> weights, double before, double after, boolean helps) {
  private static final int FOLDS = 2;
  private static final int BLOCK = 32;

  /** The differences in standard errors up to which mixtures count as equally good. */
  private static final double ALIKE = 0.5;

  /** The mixtures that are measured by their own best items. */
  private static final int MOST_MEASURED = 3;

  public NextMember {
    weights = List.copyOf(weights);
  }

  /**
   * The judgement of a mixture.
   *
   * @param members the numbers of its models
   * @param fitted the weights by fold, fitted to the users of the other folds
   * @param values the metric of each user under the weights of the user's fold
   * @param order the same of NDCG, which tells more of the order within lists
   */
  private record Judgement(
      List<Integer> members, List<double[]> fitted, double[] values, double[] order) {
    double mean() {
      return Arrays.stream(values).average().orElse(0);
    }
  }

  /** The mean of differences over users, and its standard error. */
  private record Gain(double mean, double error) {
    static Gain of(double[] before, double[] after) {
      int users = before.length;
      double mean = 0;
      for (int k = 0; k < users; k++) {
        mean += (after[k] - before[k]) / users;
      }
      double squares = 0;
      for (int k = 0; k < users; k++) {
        double difference = after[k] - before[k] - mean;
        squares += difference * difference;
      }
      return new Gain(mean, Math.sqrt(squares / Math.max(1, users - 1) / Math.max(1, users)));
    }

    boolean isClear() {
      return mean > error;
    }
  }

  /**
   * Choose the next member of a mixture. Among models that help alike it is the cheapest.
   *
   * <p>All models are compared by pools of the items that are best under any of them. There a
   * mixture that takes a model away from another looks better than it is, since items that no model
   * favours may get ahead, so the most promising ones are then measured by their own best items.
   *
   * @param source the models: the members and those that may join
   * @param members the numbers of the members, one at least. Not modified.
   * @param weights the weights of the members. Not modified.
   * @param work the cost of each model. Not modified.
   * @return the first that helps, or else the most promising; nothing if all models are members
   */
  public static Optional<NextMember> of(
      CandidatePool.Source source, List<Integer> members, List<Double> weights, List<Double> work) {
    double[] all = new double[source.models().size()];
    for (int k = 0; k < members.size(); k++) {
      all[members.get(k)] = weights.get(k);
    }
    CandidatePool near = source.bestOf(all);
    CandidatePool wide = source.bestOfEach();
    List<Judgement> found = new ArrayList<>();
    for (int model = 0; model < all.length; model++) {
      if (!members.contains(model)) {
        List<Integer> with = new ArrayList<>(members);
        with.add(model);
        found.add(judge(near, wide, with, all));
      }
    }
    Judgement without = judge(near, wide, members, all);
    Judgement before = exact(source, without);
    Optional<NextMember> promising = Optional.empty();
    for (int k = 0; k < MOST_MEASURED && !found.isEmpty(); k++) {
      Judgement best = first(found, without, work);
      if (k > 0 && !Gain.of(without.values, best.values).isClear()) {
        break;
      }
      found.remove(best);
      NextMember next = compare(before, exact(source, best));
      if (next.helps()) {
        return Optional.of(next);
      }
      promising = promising.or(() -> Optional.of(next));
    }
    return promising;
  }

  /** Return the mixture that seems best, or the cheapest of those that seem as good. */
  private static Judgement first(List<Judgement> found, Judgement before, List<Double> work) {
    double most = found.stream().mapToDouble(Judgement::mean).max().orElseThrow();
    return found.stream()
        .filter(with -> with.mean() >= most - ALIKE * Gain.of(before.values, with.values).error)
        .min((one, other) -> Double.compare(work.get(last(one)), work.get(last(other))))
        .orElseThrow();
  }

  private static int last(Judgement with) {
    return with.members.get(with.members.size() - 1);
  }

  private static Judgement judge(
      CandidatePool near, CandidatePool wide, List<Integer> members, double[] weights) {
    double[] start = members.stream().mapToDouble(k -> weights[k]).toArray();
    List<double[]> fitted = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    for (int fold = 0; fold < FOLDS; fold++) {
      int own = fold;
      CandidatePool others = near.part(members, user -> fold(user) != own);
      fitted.add(
          members.size() == 1 || others.positives() == 0
              ? start
              : StackedWeights.fit(others, start));
      values.add(wide.part(members, user -> fold(user) == own).values(fitted.get(fold)));
    }
    double[] joined = joined(values);
    return new Judgement(members, fitted, joined, joined);
  }

  /** Measure a mixture by its own best items. */
  private static Judgement exact(CandidatePool.Source source, Judgement judged) {
    MetricKey order = new MetricKey(MetricKey.NDCG, source.key().cutoff());
    List<double[]> values = new ArrayList<>();
    List<double[]> orders = new ArrayList<>();
    CandidatePool.Source ofMembers = source.only(judged.members);
    for (int fold = 0; fold < FOLDS; fold++) {
      int own = fold;
      double[] weights = judged.fitted.get(fold);
      CandidatePool best = ofMembers.bestOf(weights, user -> fold(user) == own);
      values.add(best.values(weights));
      orders.add(best.values(weights, order));
    }
    return new Judgement(judged.members, judged.fitted, joined(values), joined(orders));
  }

  private static double[] joined(List<double[]> values) {
    return values.stream().flatMapToDouble(Arrays::stream).toArray();
  }

  /** Return the fold of a user; users of a block share it, so that they are scored together. */
  private static int fold(int user) {
    return user / BLOCK % FOLDS;
  }

  private static NextMember compare(Judgement before, Judgement with) {
    Gain gain = Gain.of(before.values, with.values);
    Gain order = Gain.of(before.order, with.order);
    List<Double> weights =
        IntStream.range(0, with.members.size())
            .mapToObj(k -> with.fitted.stream().mapToDouble(of -> of[k]).average().orElseThrow())
            .toList();
    boolean helps = gain.isClear() ? order.mean > -order.error : gain.mean > 0 && order.isClear();
    return new NextMember(last(with), weights, before.mean(), before.mean() + gain.mean, helps);
  }
}
