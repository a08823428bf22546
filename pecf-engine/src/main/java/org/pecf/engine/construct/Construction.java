package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * The ways to grow an ensemble. All but {@link #EM} are presets of the progressive loop, which
 * differ in the target of the next filter (ratings, mixed in; or residuals, added up), the
 * weighting of cells, and the weights that members end up with.
 */
public enum Construction {
  /** One filter. */
  SINGLE(Combination.CONVEX, "uniform", true, "uniform", "one filter"),
  /** The paper's: filters that fit ratings on re-weighted cells, mixed in. */
  PROGRESSIVE(
      Combination.CONVEX,
      "posterior",
      false,
      "uniform",
      "filters of re-weighted ratings, mixed in one by one (PECF)"),
  /** Filters that differ by their random start only. */
  BAGGING(
      Combination.CONVEX,
      "uniform",
      true,
      "uniform",
      "filters that differ by their random start only, averaged"),
  /** Filters that fit residuals, added up. */
  L2BOOST(
      Combination.ADDITIVE, "uniform", true, "fixed", "filters of residuals, added up (L2Boost)"),
  /** Filters that fit residuals on re-weighted cells, added up. */
  BOOSTED(
      Combination.ADDITIVE,
      "posterior",
      false,
      "fixed",
      "filters of residuals on re-weighted cells, added up (boosted PECF)"),
  /** Filters of any kind, standardised, with the weights that are best on validation. */
  GREEDY(
      Combination.CONVEX,
      "uniform",
      false,
      "uniform",
      "filters of any kind and setting, weighted together by what is best on validation"),
  /** A mixture of filters fitted all at once. */
  EM(
      Combination.ADDITIVE,
      "uniform",
      true,
      "uniform",
      "a mixture of filters fitted together by expectation maximisation");

  private final Combination combination;
  private final String weighting;
  private final boolean weightingSettled;
  private final String alpha;
  private final String summary;

  Construction(
      Combination combination,
      String weighting,
      boolean weightingSettled,
      String alpha,
      String summary) {
    this.combination = combination;
    this.weighting = weighting;
    this.weightingSettled = weightingSettled;
    this.alpha = alpha;
    this.summary = summary;
  }

  /** Return the construction of a name. */
  public static Construction named(String name) {
    return Arrays.stream(values())
        .filter(construction -> construction.id().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                PecfException.badOption(
                    "There is no construction '%s'.%s Constructions are %s.",
                    name, Choices.suggestion(name, names()), String.join(", ", names())));
  }

  /** Return the names of all constructions. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Construction::id).toList();
  }

  /** Return the name. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Return a one-line description. */
  public String summary() {
    return summary;
  }

  /** Return how members join. */
  public Combination combination() {
    return combination;
  }

  /** Return whether the scores of members are divided by each user's standard deviation. */
  public boolean standardises() {
    return this == GREEDY;
  }

  /** Return the rule for the weights of members used by default. */
  public MemberWeights defaultWeights() {
    return this == GREEDY ? MemberWeights.SELECTED : MemberWeights.JOINED;
  }

  /** Return whether members after the first fit residuals. */
  public boolean fitsResiduals() {
    return this == L2BOOST || this == BOOSTED;
  }

  /** Return whether members after the first can only train on re-weighted cells. */
  public boolean reweighs() {
    return this == PROGRESSIVE || this == BOOSTED;
  }

  /** Return how many members may join the first one, given the number in the request. */
  public int rounds(int asked) {
    return this == SINGLE || this == EM ? 0 : asked;
  }

  /** Return the weighting scheme used by default. */
  public ProviderChoice defaultWeighting() {
    return ProviderChoice.of(weighting);
  }

  /** Return the alpha strategy used by default. */
  public ProviderChoice defaultAlpha() {
    return ProviderChoice.of(alpha);
  }

  /** Refuse a weighting scheme that would turn this construction into another one. */
  public void check(ProviderChoice chosen) {
    if (weightingSettled && !chosen.id().equals(weighting)) {
      throw PecfException.badOption(
          "Construction %s weighs all filters' cells alike; for weighting %s use construction %s.",
          id(), chosen.id(), (fitsResiduals() ? BOOSTED : PROGRESSIVE).id());
    }
  }
}
