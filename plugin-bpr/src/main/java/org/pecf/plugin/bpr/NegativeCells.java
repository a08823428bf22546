package org.pecf.plugin.bpr;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.memory.SparseCells;

/**
 * Say which cells weights leave to be negatives: those that weigh more than zero.
 *
 * <p>Zeros are recognised where the weights are a product: a part of a partition, or a set of cells
 * that weighs nothing, as a factor. That is how training, validation and test cells are told apart,
 * and takes no look at any weight; a zero that only evaluating a function shows is not seen.
 *
 * @param excluded sets of cells that weigh nothing
 * @param candidates the part outside which cells weigh nothing, if there is one
 */
record NegativeCells(List<SparseCells> excluded, Optional<PartMask> candidates) {
  /** Read the zeros of weights. */
  static NegativeCells of(CellField weights) {
    List<SparseCells> excluded = new ArrayList<>();
    List<PartMask> masks = new ArrayList<>();
    collect(weights, excluded, masks);
    if (masks.size() > 1) {
      throw PecfException.badOption(
          "Filter bpr draws zeros from one part of a partition, and these weights are limited to"
              + " %s. Use another weighting or another filter.",
          masks.size());
    }
    return new NegativeCells(excluded, masks.stream().findFirst());
  }

  private static void collect(CellField field, List<SparseCells> excluded, List<PartMask> masks) {
    if (field instanceof Product product) {
      product.factors().forEach(factor -> collect(factor, excluded, masks));
    } else if (field instanceof Linear linear && linear.terms().size() == 1) {
      collect(linear.terms().get(0).field(), excluded, masks);
    } else if (field instanceof PartMask mask && !masks.contains(mask)) {
      masks.add(mask);
    } else if (field instanceof Observed observed) {
      if (observed.outside() == 0) {
        throw PecfException.badOption(
            "Filter bpr learns by comparing positives with zeros, and zeros weigh nothing here."
                + " Give them a confidence above 0, such as 1:0.01, or use another filter.");
      }
      if (observed.inside() == 0) {
        excluded.add(observed.cells());
      }
    }
  }
}
