package org.pecf.engine.construct;

import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * Say how an ensemble is grown.
 *
 * @param construction the preset
 * @param filters the base filters, used in turn
 * @param weighting how cells are weighed for members after the first
 * @param alpha how much each of them counts
 * @param rounds how many of them there are at most
 * @param patience after how many rounds without a better validation figure to stop and go back to
 *     the best; 0 keeps all rounds
 * @param selection the validation figure that decides
 * @param evaluation how validation is measured
 */
public record BuildPlan(
    Construction construction,
    List<NamedFilter> filters,
    WeightingScheme weighting,
    AlphaStrategy alpha,
    int rounds,
    int patience,
    MetricKey selection,
    EvaluationRequest evaluation) {
  /**
   * Name a filter.
   *
   * @param id its provider's id
   * @param filter the filter
   */
  public record NamedFilter(String id, BaseFilter filter) {}

  public BuildPlan {
    filters = List.copyOf(filters);
    if (patience > 0 && !MetricKey.of(evaluation).contains(selection)) {
      throw PecfException.badOption(
          "Rounds cannot be chosen by %s, which is not measured: cutoffs are %s. Add its cutoff, or"
              + " select by another metric.",
          selection, evaluation.cutoffs());
    }
    for (NamedFilter named : filters) {
      boolean later = construction.rounds(rounds) > 0;
      if (later && construction.fitsResiduals()) {
        require(
            construction,
            named,
            FilterCapability.ANY_TARGET,
            "fits residuals",
            "progressive or bagging");
      }
      if (later && !construction.defaultWeighting().id().equals("uniform")) {
        require(construction, named, FilterCapability.CELL_WEIGHTS, "re-weighs cells", "bagging");
      }
    }
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

  /** Refuse to do without a validation part where the ensemble is to depend on it. */
  void checkValidation(boolean present) {
    if (!present && alpha.usesValidation()) {
      throw PecfException.badOption(
          "The alpha strategy searches the validation cells, but the split has no validation"
              + " positives. Use a split such as positives:3:1:1, or search the training cells.");
    }
  }

  /**
   * Refuse weights that cannot be split into a background and exceptions, before anything is
   * trained: what a scheme chooses is the same kind of field for any ensemble.
   *
   * @param cells what members learn from
   * @param kernels lent to the weighting scheme
   */
  public void checkBackground(TrainingCells cells, FieldKernels kernels) {
    if (members() == 1) {
      return;
    }
    EnsembleState zeros =
        new EnsembleState(1, cells.weights(), cells.ratings(), CellField.constant(0));
    if (!weighting.weights(zeros, kernels).background(0).bounded()) {
      throw PecfException.badOption(
          "The corrected path cannot be taken: the weights of %s have no bounded background. Use"
              + " --path dense or --path auto.",
          PluginCatalog.nameOf(weighting, "the weighting scheme"));
    }
  }

  /** Return the filter that trains a member. */
  public NamedFilter filterOf(int member) {
    return filters.get(member % filters.size());
  }

  /** Return how many members there are at most. */
  public int members() {
    return 1 + construction.rounds(rounds);
  }
}
