package org.pecf.engine.construct;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

  /** The difference, in standard errors of both metrics, up to which mixtures are alike. */
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

    double inErrors() {
      return error > 0 ? mean / error : 0;
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
   * @return the one that helps most, or else the most promising one; nothing if all models are
   *     members
   */
  public static Optional<NextMember> of(
      CandidatePool.Source source, List<Integer> members, List<Double> weights, List<Double> work) {
    double[] all = new double[source.models().size()];
    for (int k = 0; k < members.size(); k++) {
      all[members.get(k)] = weights.get(k);
    }
    MetricKey order = new MetricKey(MetricKey.NDCG, source.key().cutoff());
    CandidatePool near = source.bestOf(all);
    CandidatePool wide = source.bestOfEach();
    List<Judgement> found = new ArrayList<>();
    for (int model = 0; model < all.length; model++) {
      if (!members.contains(model)) {
        List<Integer> with = new ArrayList<>(members);
        with.add(model);
        found.add(judge(near, wide, with, all, order));
      }
    }
    Judgement without = judge(near, wide, members, all, order);
    List<Judgement> promising =
        found.stream()
            .sorted(Comparator.comparingDouble((Judgement with) -> -promise(without, with)))
            .limit(MOST_MEASURED)
            .toList();
    Judgement before = exact(source, without);
    List<Compared> measured =
        promising.stream().map(with -> Compared.of(before, exact(source, with))).toList();
    double most = measured.stream().mapToDouble(Compared::gained).max().orElse(0);
    return measured.stream()
        .filter(of -> of.next.helps && of.gained() >= most - ALIKE)
        .min(Comparator.comparingDouble(of -> work.get(of.next.model)))
        .or(() -> measured.stream().max(Comparator.comparingDouble(Compared::gained)))
        .map(Compared::next);
  }

  /** Return how much better one mixture is than another, in standard errors of both metrics. */
  private static double promise(Judgement before, Judgement with) {
    return Gain.of(before.values, with.values).inErrors()
        + Gain.of(before.order, with.order).inErrors();
  }

  /** A mixture with a further model, beside the one without. */
  private record Compared(NextMember next, Gain gain, Gain order) {
    static Compared of(Judgement before, Judgement with) {
      Gain gain = Gain.of(before.values, with.values);
      Gain order = Gain.of(before.order, with.order);
      List<Double> weights =
          IntStream.range(0, with.members.size())
              .mapToObj(k -> with.fitted.stream().mapToDouble(of -> of[k]).average().orElseThrow())
              .toList();
      boolean helps = gain.isClear() ? order.mean > -order.error : gain.mean > 0 && order.isClear();
      NextMember next =
          new NextMember(last(with), weights, before.mean(), before.mean() + gain.mean, helps);
      return new Compared(next, gain, order);
    }

    double gained() {
      return gain.inErrors() + order.inErrors();
    }
  }

  private static int last(Judgement with) {
    return with.members.get(with.members.size() - 1);
  }

  private static Judgement judge(
      CandidatePool near,
      CandidatePool wide,
      List<Integer> members,
      double[] weights,
      MetricKey order) {
    double[] start = members.stream().mapToDouble(k -> weights[k]).toArray();
    List<double[]> fitted = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    List<double[]> orders = new ArrayList<>();
    for (int fold = 0; fold < FOLDS; fold++) {
      int own = fold;
      CandidatePool others = near.part(members, user -> fold(user) != own);
      fitted.add(
          members.size() == 1 || others.positives() == 0
              ? start
              : StackedWeights.fit(others, start));
      CandidatePool judges = wide.part(members, user -> fold(user) == own);
      values.add(judges.values(fitted.get(fold)));
      orders.add(judges.values(fitted.get(fold), order));
    }
    return new Judgement(members, fitted, joined(values), joined(orders));
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
}
