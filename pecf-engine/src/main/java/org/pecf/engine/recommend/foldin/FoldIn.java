package org.pecf.engine.recommend.foldin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.memory.SparseProductModel;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.Standardisation;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * The fitting of new rows to a trained ensemble: users that it was not trained on, by the items
 * they like, or items by their users.
 *
 * <p>A row is fitted member by member in the order of construction, as in training: the weights and
 * targets of a member's row come from what the members before it predict for that row. The other
 * side of each member stays as it is. The components of a mixture are fitted in turn until the row
 * no longer changes. The scores of a standardised member are divided by their standard deviation
 * last of all; those before that are what members after it were trained by.
 *
 * <p>Computed in plain Java, with no plugin, unless a member's weights or its rule are known to a
 * plugin only. Weights are as exact as in training: zeros that the members before score close to
 * zero share the weight of a zero score, for which one Gramian of each member is kept; positives
 * and all other zeros have their own. Safe for use by many threads at once.
 */
public final class FoldIn {
  private static final int MOST_ITERATIONS = 30;
  private static final double SETTLED = 1e-4;

  private final Ensemble ensemble;
  private final Side side;
  private final Optional<SchemeWeights> scheme;
  private final Optional<Function<String, RowFitter>> fitters;
  private final float[] memberWeights;
  private final List<Optional<FixedSide>> fixed;
  private final List<Optional<PairwiseSteps>> pairwise;
  private final List<Optional<UserSimilarities>> similarities;
  private final List<Optional<ItemWeights>> popularity;
  private final float[] bounds;

  /**
   * Prepare to fit rows; nothing is computed yet.
   *
   * @param ensemble borrowed
   * @param side the side of the new rows
   * @param training the positives that the ensemble was trained on; borrowed
   * @param weightError the largest relative error of a weight; 0 makes all of them exact
   * @param scheme the weights of members that only a plugin knows, if it is at hand
   * @param fitters finds a filter's own way of fitting rows by the filter's id, if plugins are at
   *     hand
   */
  public FoldIn(
      Ensemble ensemble,
      Side side,
      SparseCells training,
      double weightError,
      Optional<SchemeWeights> scheme,
      Optional<Function<String, RowFitter>> fitters) {
    this.ensemble = ensemble;
    this.side = side;
    this.scheme = scheme;
    this.fitters = fitters;
    double[] weights = ensemble.weights();
    this.memberWeights = new float[weights.length];
    this.bounds = new float[weights.length];
    this.fixed = new ArrayList<>();
    this.pairwise = new ArrayList<>();
    this.similarities = new ArrayList<>();
    this.popularity = new ArrayList<>();
    IntUnaryOperator counts = side == Side.USERS ? training::itemCount : training::userCount;
    for (int k = 0; k < weights.length; k++) {
      memberWeights[k] = (float) weights[k];
      Optional<ItemWeights> ofItems =
          ensemble
              .members()
              .get(k)
              .fit()
              .map(fit -> fit.confidence().popularity())
              .filter(exponent -> exponent != 0)
              .map(exponent -> ItemWeights.ofPopularity(training, exponent));
      popularity.add(ofItems);
      similarities.add(
          product(k)
              .filter(product -> side == Side.USERS)
              .flatMap(
                  product ->
                      product
                          .newUsers()
                          .map(rule -> new UserSimilarities(rule, product, training))));
      if (product(k).isPresent()) {
        fixed.add(Optional.empty());
        pairwise.add(Optional.empty());
      } else {
        FixedSide others =
            new FixedSide(model(k).side(side.other()), ofItems.filter(items -> side == Side.USERS));
        fixed.add(Optional.of(others));
        pairwise.add(
            model(k).rules().of(side) instanceof RowRule.Pairwise rule
                ? Optional.of(new PairwiseSteps(rule, others, counts))
                : Optional.empty());
      }
      bounds[k] = bound(k, weightError);
    }
  }

  private float bound(int member, double weightError) {
    return ensemble
        .members()
        .get(member)
        .fit()
        .map(MemberFit::weights)
        .flatMap(
            rule -> rule.factor().map(f -> FunctionWeights.bound(f, rule.errors(), weightError)))
        .orElse(Float.POSITIVE_INFINITY);
  }

  private FixedSide fixed(int member) {
    return fixed.get(member).orElseThrow();
  }

  /** Return a member that is a sparse product, whose rows are given and not fitted. */
  private Optional<SparseProductModel> product(int member) {
    return ensemble.members().get(member).model() instanceof SparseProductModel product
        ? Optional.of(product)
        : Optional.empty();
  }

  /** Refuse a product whose left rows are not the profiles of users. */
  private void checkProfiles(int member, SparseProductModel product) {
    if (side != Side.USERS || product.inner() != Side.ITEMS && similarities.get(member).isEmpty()) {
      throw PecfException.badOption(
          "%s cannot be taken in by this model, because filter %s relates %s by what they had in"
              + " common when it was trained (member %d). Train it again with the new data.",
          side == Side.USERS ? "New users" : "New items",
          ensemble.members().get(member).filterId(),
          product.inner() == Side.USERS ? "users" : "items",
          member + 1);
    }
  }

  /** Return the scores of a user of the given items. */
  private float[] scores(int member, SparseProductModel product, int[] positives) {
    if (similarities.get(member).isPresent()) {
      return similarities.get(member).get().scores(positives);
    }
    float[] ones = new float[positives.length];
    Arrays.fill(ones, 1);
    float[] scores = new float[cells()];
    product.scoreRow(positives, ones, scores);
    return scores;
  }

  private FactorModel model(int member) {
    Member of = ensemble.members().get(member);
    if (of.model() instanceof FactorModel factors) {
      return factors;
    }
    throw PecfException.badModel(
        "Member %d, of filter %s, is neither a factor model nor a sparse product, so %s cannot be"
            + " taken in. Use %s of the model's own data.",
        member + 1, of.filterId(), newRows(), side == Side.USERS ? "users" : "items");
  }

  private String newRows() {
    return side == Side.USERS ? "new users" : "new items";
  }

  /** Return the number of cells of a row. */
  public int cells() {
    return side == Side.USERS ? ensemble.shape().items() : ensemble.shape().users();
  }

  /**
   * Fit a row.
   *
   * @param positives the cells rated 1: indexes of the other side, ascending, none twice. Not
   *     modified.
   * @throws PecfException if a member cannot take in new rows, with the reason
   */
  public FoldedRow fit(int[] positives) {
    checkSide();
    List<float[]> rows = new ArrayList<>();
    List<float[]> scores = new ArrayList<>();
    while (rows.size() < ensemble.size()) {
      int member = rows.size();
      Optional<SparseProductModel> product = product(member);
      if (product.isPresent()) {
        checkProfiles(member, product.get());
        rows.add(new float[0]);
        scores.add(scores(member, product.get(), positives));
      } else if (fit(member).weights() instanceof WeightRule.Mixture mixture) {
        addMixture(mixture, positives, rows, scores);
      } else {
        rows.add(row(member, positives, scores));
        scores.add(fixed(member).scores(rows.get(member)));
      }
    }
    for (int k = 0; k < rows.size(); k++) {
      if (standardised(k)) {
        float factor = Standardisation.factor(scores.get(k));
        Standardisation.scale(rows.get(k), factor);
        scale(k, scores.get(k), factor);
      }
    }
    return new FoldedRow(rows, scores, sum(scores));
  }

  private boolean standardised(int member) {
    return ensemble.members().get(member).fit().filter(MemberFit::standardised).isPresent();
  }

  /** Multiply the scores of a row under a member, but for what is the same for all cells. */
  private void scale(int member, float[] scores, float factor) {
    float constant = product(member).map(SparseProductModel::intercept).orElse(0f);
    for (int cell = 0; cell < scores.length; cell++) {
      scores[cell] = constant + factor * (scores[cell] - constant);
    }
  }

  /** Refuse new items of standardised members, whose users' factors are no longer as trained. */
  private void checkSide() {
    for (int k = 0; side == Side.ITEMS && k < ensemble.size(); k++) {
      if (standardised(k)) {
        throw PecfException.badOption(
            "New items cannot be taken in by this model, because each user's scores were"
                + " standardised over the items of its training (member %d). Train it again with"
                + " the new data.",
            k + 1);
      }
    }
  }

  /**
   * Return the factor by which a member's scores of a row were multiplied after the row was fitted:
   * that of the row that the member's rule gives.
   *
   * @param fitted the scores of the row under all members before, as they were fitted
   */
  private float factor(int member, int[] positives, List<float[]> fitted) {
    if (!standardised(member)) {
      return 1;
    }
    Optional<SparseProductModel> product = product(member);
    return Standardisation.factor(
        product.isPresent()
            ? scores(member, product.get(), positives)
            : fixed(member).scores(row(member, positives, fitted)));
  }

  /** Return the scores of a row under the first members as they were before they were scaled. */
  private List<float[]> fitted(int count, int[] positives, List<float[]> scores) {
    List<float[]> fitted = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      float[] own = scores.get(k);
      if (standardised(k)) {
        own = own.clone();
        scale(k, own, 1 / factor(k, positives, fitted));
      }
      fitted.add(own);
    }
    return fitted;
  }

  private float[] sum(List<float[]> memberScores) {
    float[] sum = new float[cells()];
    for (int k = 0; k < memberScores.size(); k++) {
      add(memberWeights[k], memberScores.get(k), sum);
    }
    return sum;
  }

  private static void add(float weight, float[] scores, float[] sum) {
    for (int cell = 0; cell < sum.length; cell++) {
      sum[cell] += weight * scores[cell];
    }
  }

  private MemberFit fit(int member) {
    return ensemble
        .members()
        .get(member)
        .fit()
        .orElseThrow(
            () ->
                PecfException.badModel(
                    "The model does not say how its member %d was fitted, so %s cannot be taken"
                        + " in. Train it again.",
                    member + 1, newRows()));
  }

  /** Return a row under a member that is no component of a mixture. */
  private float[] row(int member, int[] positives, List<float[]> before) {
    return row(
        member,
        positives,
        () -> weights(member, positives, before),
        () -> residual(member, before));
  }

  /**
   * Return a row under a member.
   *
   * @param weights returns the weights of its cells, if the rule looks at them
   * @param residual returns what is taken from its ratings; null for nothing
   */
  private float[] row(
      int member,
      int[] positives,
      Supplier<RowWeights> weights,
      Supplier<float @Nullable []> residual) {
    RowRule rule = model(member).rules().of(side);
    if (rule instanceof RowRule.LeastSquares || rule instanceof RowRule.BestFit) {
      return RowEquations.of(fixed(member), rule, positives, weights.get(), residual.get())
          .solution();
    }
    if (rule instanceof RowRule.Pairwise) {
      return pairwise.get(member).orElseThrow().row(positives, weights.get());
    }
    if (rule instanceof RowRule.Softmax softmax) {
      return new SoftmaxSteps(softmax, fixed(member)).row(positives, weights.get());
    }
    if (rule instanceof RowRule.OfFilter own) {
      return row(member, own, positives, weights.get(), residual.get());
    }
    float[] row = new float[fixed(member).rank()];
    if (rule instanceof RowRule.Same same) {
      Arrays.fill(row, same.value());
    } else if (rule instanceof RowRule.Positives ones) {
      checkRank(member, ones);
      for (int cell : positives) {
        row[cell] = 1;
      }
      Arrays.fill(row, cells(), row.length, 1);
    } else if (rule instanceof RowRule.Impossible impossible) {
      throw PecfException.badOption(
          "%s cannot be taken in by this model, because %s (member %d). Train it again with the new"
              + " data.",
          side == Side.USERS ? "New users" : "New items", impossible.reason(), member + 1);
    }
    return row;
  }

  /** Have the filter that trained a member fit a row. */
  private float[] row(
      int member,
      RowRule.OfFilter rule,
      int[] positives,
      RowWeights weights,
      float @Nullable [] residual) {
    String filter = ensemble.members().get(member).filterId();
    RowFitter fitter =
        fitters
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "%s cannot be taken in without the plugin of filter %s, which fits them in"
                            + " its own way (member %d). Open the model with the plugin's folder.",
                        side == Side.USERS ? "New users" : "New items", filter, member + 1))
            .apply(filter);
    float[] cellWeights = new float[cells()];
    float[] targets = new float[cells()];
    for (int cell = 0; cell < cells(); cell++) {
      int rating = Arrays.binarySearch(positives, cell) < 0 ? 0 : 1;
      cellWeights[cell] = (float) weights.at(cell, rating);
      targets[cell] = residual == null ? rating : rating - residual[cell];
    }
    float[] row =
        fitter.fit(
            new NewRow(
                side,
                positives.clone(),
                cellWeights,
                targets,
                model(member).side(side.other()).lent(),
                rule.settings()));
    int rank = fixed(member).rank();
    if (row.length != rank || IntStream.range(0, rank).anyMatch(k -> !Float.isFinite(row[k]))) {
      throw PecfException.pluginFault(
          "%s fitted a row that is not of %d finite factors. Tell its author.",
          PluginCatalog.nameOf(fitter, "Filter " + filter), rank);
    }
    return row;
  }

  private void checkRank(int member, RowRule.Positives rule) {
    if (fixed(member).rank() - (long) cells() != rule.ones()) {
      throw PecfException.badModel(
          "The model is damaged: member %d has %d factors where %d cells and %d more are stated."
              + " Restore the folder from a copy, or train again.",
          member + 1, fixed(member).rank(), cells(), rule.ones());
    }
  }

  /**
   * Return the equations of a row under a member, if it is fitted by least squares.
   *
   * @param scores the row's scores under all members before, and of a component under all of its
   *     mixture; more are ignored
   */
  private Optional<RowEquations> equations(int member, int[] positives, List<float[]> scores) {
    if (product(member).isPresent()) {
      return Optional.empty();
    }
    RowRule rule = model(member).rules().of(side);
    if (!(rule instanceof RowRule.LeastSquares || rule instanceof RowRule.BestFit)) {
      return Optional.empty();
    }
    return Optional.of(
        RowEquations.of(
            fixed(member),
            rule,
            positives,
            weights(member, positives, scores),
            residual(member, scores)));
  }

  /** Return what is taken from a row's ratings under a member; null for nothing. */
  private float @Nullable [] residual(int member, List<float[]> scores) {
    return fit(member).residuals() ? prediction(fit(member), scores) : null;
  }

  /**
   * Divide a member's score of a cell among the row's positives and its zeros.
   *
   * @param positives the cells rated 1, ascending. Not modified.
   * @param memberScores the row's scores under each member, as trained or folded in. Not modified.
   * @return the parts, which add up to the score of the row that the member's rule gives; empty if
   *     that is not linear in the row's ratings, or not known
   */
  public Optional<Attribution> attribution(
      int member, int[] positives, List<float[]> memberScores, int cell) {
    if (!standardised(member)) {
      return fittedAttribution(member, positives, memberScores, cell);
    }
    int needed = fit(member).usesPrediction() ? member : 0;
    if (side == Side.ITEMS || IntStream.range(0, needed).anyMatch(k -> !profiled(k))) {
      return Optional.empty();
    }
    List<float[]> before = fitted(needed, positives, memberScores);
    float constant = product(member).map(SparseProductModel::intercept).orElse(0f);
    return fittedAttribution(member, positives, before, cell)
        .map(parts -> parts.scaled(factor(member, positives, before), constant));
  }

  /** Return whether the scores of a user under a member follow from the user's items. */
  private boolean profiled(int member) {
    return product(member)
        .map(product -> product.inner() == Side.ITEMS || similarities.get(member).isPresent())
        .orElse(true);
  }

  private Optional<Attribution> fittedAttribution(
      int member, int[] positives, List<float[]> memberScores, int cell) {
    Optional<SparseProductModel> product = product(member);
    if (product.isPresent()) {
      return attribution(member, product.get(), positives, cell);
    }
    Optional<MemberFit> fit = ensemble.members().get(member).fit();
    if (model(member).rules().of(side) instanceof RowRule.Positives ones) {
      checkRank(member, ones);
      float[] row = new float[fixed(member).rank()];
      fixed(member).read(cell, row);
      double always = 0;
      for (int k = cells(); k < row.length; k++) {
        always += row[k];
      }
      return Optional.of(
          new Attribution(Arrays.stream(positives).mapToDouble(k -> row[k]).toArray(), always));
    }
    if (fit.isEmpty() || fit.get().weights().factor().isEmpty() && scheme.isEmpty()) {
      return Optional.empty();
    }
    return equations(member, positives, memberScores).map(solved -> solved.attribution(cell));
  }

  /** Divide a score among the items of a profile; empty if a row is no profile. */
  private Optional<Attribution> attribution(
      int member, SparseProductModel product, int[] positives, int item) {
    if (similarities.get(member).isPresent()) {
      return similarities.get(member).map(similar -> similar.attribution(positives, item));
    }
    return side == Side.USERS && product.inner() == Side.ITEMS
        ? Optional.of(
            new Attribution(
                Arrays.stream(positives).mapToDouble(k -> product.right().get(k, item)).toArray(),
                product.intercept()))
        : Optional.empty();
  }

  /**
   * Return the scores of a row of the training under each member.
   *
   * @param index the user or item
   */
  public List<float[]> trained(int index) {
    List<float[]> scores = new ArrayList<>();
    for (int k = 0; k < ensemble.size(); k++) {
      Optional<SparseProductModel> product = product(k);
      if (product.isPresent()) {
        scores.add(trained(product.get(), index));
      } else {
        float[] row = new float[model(k).rank()];
        model(k).side(side).readRow(index, row);
        scores.add(fixed(k).scores(row));
      }
    }
    return scores;
  }

  private float[] trained(SparseProductModel product, int index) {
    float[] scores = new float[cells()];
    if (side == Side.USERS) {
      product.scoreRow(index, scores);
    } else {
      for (int user = 0; user < scores.length; user++) {
        scores[user] = product.scoreAt(user, index);
      }
    }
    return scores;
  }

  /** Return the prediction that a member's weights and targets are made from. */
  private float[] prediction(MemberFit fit, List<float[]> scores) {
    float[] prediction = new float[cells()];
    for (int k = 0; k < fit.before().size(); k++) {
      float weight = fit.before().get(k).floatValue();
      if (weight != 0) {
        add(weight, scores.get(k), prediction);
      }
    }
    return prediction;
  }

  private RowWeights weights(int member, int[] positives, List<float[]> scores) {
    MemberFit fit = fit(member);
    WeightRule rule = fit.weights();
    if (rule.factor().isPresent()) {
      return new FunctionWeights(
          plain(member, positives),
          rule.factor().get(),
          rule.predictions(member, scores, () -> prediction(fit, scores)),
          bounds[member]);
    }
    return scheme
        .orElseThrow(
            () ->
                PecfException.badOption(
                    "Member %d was trained with a weighting that only its plugin knows, so %s"
                        + " cannot be taken in without it. Open the model with the plugin's"
                        + " folder.",
                    member + 1, newRows()))
        .of(member, scores);
  }

  /** Return the confidences of a row: zeros of a popular item weigh more, if the member says so. */
  private FunctionWeights.ZeroWeights plain(int member, int[] positives) {
    Optional<ItemWeights> items = popularity.get(member);
    return new FunctionWeights.ZeroWeights(
        fit(member).confidence(),
        side == Side.ITEMS ? items.map(of -> (double) of.ofCount(positives.length)).orElse(1.0) : 1,
        items.filter(of -> side == Side.USERS));
  }

  /** Fit the components of a mixture: responsibilities and rows in turn, from the priors on. */
  private void addMixture(
      WeightRule.Mixture mixture, int[] positives, List<float[]> rows, List<float[]> scores) {
    int first = rows.size();
    int components = mixture.priors().size();
    checkMixture(mixture, first, components);
    for (int k = 0; k < components; k++) {
      float prior = mixture.priors().get(k).floatValue();
      CellFunction constant = arguments -> prior;
      RowWeights weights =
          new FunctionWeights(
              plain(first + k, positives), constant, List.of(), Float.POSITIVE_INFINITY);
      rows.add(component(first + k, positives, weights));
      scores.add(fixed(first + k).scores(rows.get(first + k)));
    }
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      // All components see the same errors, as in an E-step.
      List<float[]> errors = List.copyOf(scores);
      double change = 0;
      double size = 0;
      for (int k = first; k < first + components; k++) {
        float[] row = component(k, positives, weights(k, positives, errors));
        for (int factor = 0; factor < row.length; factor++) {
          double difference = row[factor] - (double) rows.get(k)[factor];
          change += difference * difference;
          size += (double) row[factor] * row[factor];
        }
        rows.set(k, row);
        scores.set(k, fixed(k).scores(row));
      }
      if (change <= SETTLED * SETTLED * size) {
        return;
      }
    }
  }

  private void checkMixture(WeightRule.Mixture mixture, int first, int components) {
    for (int k = 0; k < components; k++) {
      if (first + k >= ensemble.size()
          || !fit(first + k)
              .weights()
              .equals(new WeightRule.Mixture(k, mixture.priors(), mixture.deviation()))) {
        throw PecfException.badModel(
            "The model is damaged: its members from %d on are not the %d components of a mixture."
                + " Restore the folder from a copy, or train again.",
            first + 1, components);
      }
    }
  }

  private float[] component(int member, int[] positives, RowWeights weights) {
    return row(member, positives, () -> weights, () -> null);
  }
}
