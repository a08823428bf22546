package org.pecf.engine.construct;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.api.PecfException;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * The plan by which an ensemble is grown, with its plugins created.
 *
 * @param construction the preset
 * @param filters the base filters, used in turn
 * @param weighting how cells are weighed for members after the first
 * @param alpha the strategy that chooses how much each of them counts
 * @param rounds the largest number of members added to the first
 * @param patience the number of rounds without a better validation metric after which to stop and
 *     go back to the best; 0 keeps all rounds
 * @param weights the rule for the weights that members end up with
 * @param selection the validation metric that decides
 * @param metrics how validation is measured
 */
public record BuildPlan(
    Construction construction,
    List<NamedFilter> filters,
    WeightingScheme weighting,
    AlphaStrategy alpha,
    int rounds,
    int patience,
    MemberWeights weights,
    MetricKey selection,
    Metrics metrics) {
  /**
   * A filter and the id under which it was chosen.
   *
   * @param id its provider's id
   * @param filter the filter
   * @param settings its id and options, which distinguish it from other filters
   * @param confidence the weights of positives and zeros that it learns from, if its own
   */
  public record NamedFilter(
      String id, BaseFilter filter, String settings, Optional<Confidence> confidence) {
    /** Name a filter that learns from the confidence of the ensemble. */
    public NamedFilter(String id, BaseFilter filter) {
      this(id, filter, id, Optional.empty());
    }
  }

  public BuildPlan {
    filters = List.copyOf(filters);
    if ((patience > 0 || weights.fitted()) && !metrics.keys().contains(selection)) {
      throw PecfException.badOption(
          "Members cannot be chosen by %s, which is not measured: cutoffs are %s. Add its cutoff,"
              + " or select by another metric.",
          selection, metrics.request().cutoffs());
    }
    if (weights.kind() != MemberWeights.Kind.JOINED && patience > 0) {
      throw PecfException.badOption(
          "Patience keeps the first members with the weights they joined with, so weights cannot be"
              + " %s. Set patience to 0, or leave the weights out.",
          weights);
    }
    if (weights.fitted() && !selection.ofUsers()) {
      throw PecfException.badOption(
          "Weights cannot be fitted by %s, which is not an average over users. Select by a metric"
              + " such as %s.",
          selection, metrics.request().usual());
    }
    for (NamedFilter named : filters) {
      if (named.confidence().isPresent() && construction == Construction.EM) {
        throw PecfException.badOption(
            "Filter %s has a confidence of its own, but the components of a mixture share one."
                + " State it for the ensemble.",
            named.id());
      }
      boolean later = construction.rounds(rounds) > 0;
      if (later && construction.fitsResiduals()) {
        require(
            construction,
            named,
            FilterCapability.ANY_TARGET,
            "fits residuals",
            "progressive or bagging");
      }
      if (later && construction.reweighs()) {
        require(construction, named, FilterCapability.CELL_WEIGHTS, "re-weighs cells", "bagging");
      }
    }
  }

  /** Plan members that keep the weights they join with. */
  public BuildPlan(
      Construction construction,
      List<NamedFilter> filters,
      WeightingScheme weighting,
      AlphaStrategy alpha,
      int rounds,
      int patience,
      MetricKey selection,
      Metrics metrics) {
    this(
        construction,
        filters,
        weighting,
        alpha,
        rounds,
        patience,
        MemberWeights.JOINED,
        selection,
        metrics);
  }

  private static void require(
      Construction construction,
      NamedFilter named,
      FilterCapability capability,
      String needs,
      String instead) {
    if (!named.filter().capabilities().contains(capability)) {
      throw PecfException.badOption(
          "Construction %s %s, which filter %s cannot learn from. Use construction %s, or another"
              + " filter.",
          construction.id(), needs, named.id(), instead);
    }
  }

  /** Refuse a missing validation part where the ensemble is to depend on it. */
  void checkValidation(boolean present) {
    if (!present && alpha.usesValidation()) {
      throw PecfException.badOption(
          "The alpha strategy searches the validation cells, but the split has no validation"
              + " positives. Use a split such as positives:3:1:1, or search the training cells.");
    }
    if (!present && weights.fitted()) {
      throw PecfException.badOption(
          "Weights are fitted on the validation part, but the split has no validation positives."
              + " Use a split such as positives:3:1:1, or give the weights of the %s members.",
          members());
    }
    if (weights.kind() == MemberWeights.Kind.GIVEN && weights.given().size() != members()) {
      throw PecfException.badOption(
          "There are %s weights for %s members. Give one for each.",
          weights.given().size(), members());
    }
    if (!present && patience > 0) {
      throw PecfException.badOption(
          "Patience compares rounds on the validation part, but the split has no validation"
              + " positives. Use a split such as positives:3:1:1, or set patience to 0.");
    }
  }

  /**
   * Refuse weights that cannot be split into a background and exceptions, before anything is
   * trained: a scheme chooses the same kind of field for any ensemble.
   *
   * @param cells the cells that members learn from
   * @param kernels the kernels that the weighting scheme may use
   */
  public void checkBackground(TrainingCells cells, FieldKernels kernels) {
    if (members() == 1) {
      return;
    }
    EnsembleState zeros =
        new EnsembleState(
            1,
            cells.shape(),
            cells.positives(),
            cells.weights(),
            cells.ratings(),
            CellField.constant(0));
    if (!weighting.weights(zeros, kernels).background(0).bounded()) {
      throw PecfException.badOption(
          "The corrected path cannot be taken: the weights of %s have no bounded background. Use"
              + " the dense path, or let the path be chosen automatically.",
          PluginCatalog.nameOf(weighting, "the weighting scheme"));
    }
  }

  /** Return whether a member learns from the weights that the scheme chooses. */
  boolean reweighs(int member) {
    return member > 0
        && (!construction.standardises()
            || filterOf(member).filter().capabilities().contains(FilterCapability.CELL_WEIGHTS));
  }

  /**
   * Return the root of a member's randomness. Where filters are alternatives, it depends on the
   * filter's settings and how often they came before, not on the other filters of the plan.
   */
  Seed seedOf(int member, Seed root) {
    if (!construction.standardises()) {
      return root.child("member", member);
    }
    String settings = filterOf(member).settings();
    long before =
        IntStream.range(0, member).filter(k -> filterOf(k).settings().equals(settings)).count();
    return root.child(settings).child("member", before);
  }

  /** Return the filter that trains a member. */
  public NamedFilter filterOf(int member) {
    return filters.get(member % filters.size());
  }

  /** Return the largest number of members. */
  public int members() {
    int asked = (int) Math.min(Integer.MAX_VALUE, 1L + construction.rounds(rounds));
    return construction == Construction.GREEDY ? Math.max(asked, filters.size()) : asked;
  }
}
