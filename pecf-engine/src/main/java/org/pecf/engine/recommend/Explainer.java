package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.foldin.Attribution;
import org.pecf.engine.recommend.foldin.FoldIn;

/** The division of a score into the shares of members and of items that the user likes. */
final class Explainer {
  private final StoredModel model;
  private final FoldIn foldIn;

  /**
   * Create an explainer.
   *
   * @param model borrowed
   * @param foldIn how rows of users are fitted
   */
  Explainer(StoredModel model, FoldIn foldIn) {
    this.model = model;
    this.foldIn = foldIn;
  }

  /** What the items that a new user likes speak for, beside the members. */
  record Support(NewRows.User user, ItemSimilarity similarity) {}

  /**
   * Explain a score.
   *
   * @param user the id to state
   * @param liked the items that the user likes, ascending. Not modified.
   * @param memberScores the scores of all items under each member. Not modified.
   * @param known the items that do not compete for a rank
   * @param support of a new user; shown after the members
   */
  Explanation explain(
      String user,
      int[] liked,
      List<float[]> memberScores,
      int item,
      BitSet known,
      Optional<Support> support) {
    Ensemble ensemble = model.ensemble();
    double[] weights = ensemble.weights();
    float[] scores = new float[ensemble.shape().items()];
    double[] shares = new double[liked.length];
    double zeros = 0;
    double rest = 0;
    List<Explanation.MemberShare> members = new ArrayList<>();
    for (int k = 0; k < weights.length; k++) {
      float[] own = memberScores.get(k);
      float weight = (float) weights[k];
      for (int other = 0; other < scores.length; other++) {
        scores[other] += weight * own[other];
      }
      double share = (double) weight * own[item];
      Optional<Attribution> attribution = foldIn.attribution(k, liked, memberScores, item);
      double attributed = 0;
      if (attribution.isPresent()) {
        for (int p = 0; p < liked.length; p++) {
          double part = weight * attribution.get().positives()[p];
          shares[p] += part;
          attributed += part;
        }
        zeros += weight * attribution.get().zeros();
        attributed += weight * attribution.get().zeros();
      }
      rest += share - attributed;
      members.add(
          new Explanation.MemberShare(
              ensemble.members().get(k).filterId(),
              weight,
              own[item],
              share,
              rank(own, item, known),
              attribution.isPresent()));
    }
    if (support.isPresent()) {
      float[] own = support.get().user().support();
      double weight = support.get().user().weight();
      for (int other = 0; other < scores.length; other++) {
        scores[other] += (float) (weight * own[other]);
      }
      for (int p = 0; p < liked.length; p++) {
        shares[p] += weight * support.get().similarity().support(new int[] {liked[p]})[item];
      }
      members.add(
          new Explanation.MemberShare(
              "common-users", weight, own[item], weight * own[item], rank(own, item, known), true));
    }
    return new Explanation(
        user,
        model.items().textAt(item),
        scores[item],
        rank(scores, item, known),
        candidates(scores.length, item, known),
        members,
        IntStream.range(0, liked.length)
            .mapToObj(p -> new Explanation.LikedItem(model.items().textAt(liked[p]), shares[p]))
            .sorted(Comparator.comparingDouble((Explanation.LikedItem one) -> -one.share()))
            .toList(),
        zeros,
        rest);
  }

  private static int candidates(int items, int item, BitSet known) {
    return items - known.cardinality() + (known.get(item) ? 1 : 0);
  }

  /** Return the rank of an item, of equal scores the first. */
  private static int rank(float[] scores, int item, BitSet known) {
    int rank = 1;
    for (int other = 0; other < scores.length; other++) {
      boolean ahead = scores[other] > scores[item] || scores[other] == scores[item] && other < item;
      if (ahead && !known.get(other)) {
        rank++;
      }
    }
    return rank;
  }
}
