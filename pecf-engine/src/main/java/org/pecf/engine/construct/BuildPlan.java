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
 * The plan by which an ensemble is grown, with its plugins created.
 *
 * @param construction the preset
 * @param filters the base filters, used in turn
 * @param weighting how cells are weighed for members after the first
 * @param alpha the strategy that chooses how much each of them counts
 * @param rounds the largest number of members added to the first
 * @param patience the number of rounds without a better validation metric after which to stop and
 *     go back to the best; 0 keeps all rounds
 * @param selection the validation metric that decides
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
   * A filter and the id under which it was chosen.
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
      if (later && construction.reweighs()) {
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

  /** Refuse a missing validation part where the ensemble is to depend on it. */
  void checkValidation(boolean present) {
    if (!present && alpha.usesValidation()) {
      throw PecfException.badOption(
          "The alpha strategy searches the validation cells, but the split has no validation"
              + " positives. Use a split such as positives:3:1:1, or search the training cells.");
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

  /** Return the filter that trains a member. */
  public NamedFilter filterOf(int member) {
    return filters.get(member % filters.size());
  }

  /** Return the largest number of members. */
  public int members() {
    return 1 + construction.rounds(rounds);
  }
}
