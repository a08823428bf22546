package org.pecf.engine.recommend;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.memory.Side;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.foldin.FoldIn;
import org.pecf.engine.recommend.foldin.FoldedRow;
import org.pecf.engine.recommend.foldin.SchemeWeights;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/**
 * The users and items that a stored model was not trained on. Nothing is prepared before the first
 * of them comes. Safe for use by many threads at once.
 */
final class NewRows {
  /** The number of liked items at which these count half as much as the fitted row. */
  private static final double FEW = 10;

  private final StoredModel model;
  private final Optional<Workspace> workspace;
  private @Nullable FoldIn users;
  private @Nullable FoldIn items;
  private @Nullable ItemSimilarity similarity;

  /**
   * Prepare for new rows.
   *
   * @param model borrowed
   * @param workspace where plugins are found, if some are needed; borrowed
   */
  NewRows(StoredModel model, Optional<Workspace> workspace) {
    this.model = model;
    this.workspace = workspace;
  }

  /** Return how new users are fitted. */
  synchronized FoldIn users() {
    if (users == null) {
      users = foldIn(Side.USERS);
    }
    return users;
  }

  /** Return how new items are fitted. */
  synchronized FoldIn items() {
    if (items == null) {
      items = foldIn(Side.ITEMS);
    }
    return items;
  }

  /** Return how similar items are. */
  synchronized ItemSimilarity similarity() {
    if (similarity == null) {
      similarity = new ItemSimilarity(model.ensemble(), model.training());
    }
    return similarity;
  }

  private FoldIn foldIn(Side side) {
    return new FoldIn(
        model.ensemble(),
        side,
        model.training(),
        weightError(),
        scheme(),
        workspace.map(Workspace::catalog).map(catalog -> catalog::rowFitter));
  }

  /** Return the bound on weights that the model was trained with. */
  private double weightError() {
    if (JsonText.fields(model.description().request()).get("compute") instanceof Map<?, ?> compute
        && compute.get("weightError") instanceof Number bound
        && bound.doubleValue() >= 0
        && bound.doubleValue() < 1) {
      return bound.doubleValue();
    }
    return ComputeRequest.DEFAULT_WEIGHT_ERROR;
  }

  /** Return the weights that only a plugin knows, if there are any and it may be there. */
  private Optional<SchemeWeights> scheme() {
    boolean needed =
        model.ensemble().members().stream()
            .flatMap(member -> member.fit().stream())
            .map(MemberFit::weights)
            .anyMatch(rule -> rule.factor().isEmpty());
    if (!needed || workspace.isEmpty()) {
      return Optional.empty();
    }
    try (ComputeSession session = workspace.get().open(model.ensemble().shape())) {
      return Optional.of(
          new SchemeWeights(
              model.ensemble(),
              model.training(),
              workspace
                  .get()
                  .catalog()
                  .weighting(
                      RequestJson.read(model.description().request()).ensemble().weighting()),
              session.fields()));
    }
  }

  /**
   * The indexes of ids.
   *
   * @param indexes ascending, none twice
   * @param unknown the number of ids that the model does not have
   */
  record Found(int[] indexes, int unknown) {}

  /**
   * Find ids.
   *
   * @throws PecfException if the model lacks one of them and that is refused
   */
  static Found find(IdMap ids, Collection<String> texts, UnknownItems unknown) {
    int[] indexes =
        texts.stream()
            .map(text -> find(ids, text, unknown))
            .filter(OptionalInt::isPresent)
            .mapToInt(OptionalInt::getAsInt)
            .toArray();
    int missing = texts.size() - indexes.length;
    return new Found(Arrays.stream(indexes).sorted().distinct().toArray(), missing);
  }

  private static OptionalInt find(IdMap ids, String text, UnknownItems unknown) {
    return unknown == UnknownItems.REFUSE ? OptionalInt.of(ids.indexOf(text)) : ids.search(text);
  }

  /**
   * A new user.
   *
   * @param fitted the user's row under every member
   * @param support how much the liked items speak for each item, as {@link ItemSimilarity#support}
   * @param weight the number that support is multiplied by
   */
  record User(FoldedRow fitted, float[] support, double weight) {
    /**
     * Return the score of each item: what was fitted, and as much of what liked items speak for.
     */
    float[] scores() {
      float[] scores = fitted.scores().clone();
      for (int item = 0; item < scores.length; item++) {
        scores[item] += (float) (weight * support[item]);
      }
      return scores;
    }
  }

  /**
   * Take in a new user. A row that is fitted to few items takes all others for refused, so what
   * these items speak for counts nearly as much, by standard deviations; the more of them there
   * are, the less.
   */
  User user(int[] likedItems) {
    FoldedRow fitted = users().fit(likedItems);
    float[] support = similarity().support(likedItems);
    double spread = deviation(support);
    double share = FEW / (FEW + likedItems.length);
    return new User(fitted, support, spread > 0 ? share * deviation(fitted.scores()) / spread : 0);
  }

  private static double deviation(float[] values) {
    double sum = 0;
    double squares = 0;
    for (float value : values) {
      sum += value;
      squares += (double) value * value;
    }
    double mean = sum / values.length;
    return Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  }

  /** Fit a new item. */
  FoldedRow item(int[] itsUsers) {
    return items().fit(itsUsers);
  }
}
