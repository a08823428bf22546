package org.pecf.api.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.memory.SparseCells;

/**
 * The cells that can be negatives: those with a weight above zero.
 *
 * <p>Zero weights are recognised where the weights are a product with a part of a partition, or a
 * set of cells of weight zero, as a factor. That is how training, validation and test cells are
 * told apart, and no weight is evaluated for it; a zero that only the evaluation of a function
 * would show is not recognised.
 *
 * @param excluded sets of cells of weight zero
 * @param candidates the part outside of which all weights are zero, if there is one
 * @since 0.1
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record NegativeCells(List<SparseCells> excluded, Optional<PartMask> candidates) {
  public NegativeCells {
    excluded = List.copyOf(excluded);
  }

  /**
   * Return the cells whose weights are not known to be zero.
   *
   * @param weights the weights of a task
   * @param filter the id of the filter that compares positives with zeros, for messages
   * @throws PecfException with {@link org.pecf.api.ErrorCode#BAD_OPTION} if zeros have no weight or
   *     the weights combine several parts
   */
  public static NegativeCells of(CellField weights, String filter) {
    List<SparseCells> excluded = new ArrayList<>();
    List<PartMask> masks = new ArrayList<>();
    collect(weights, filter, excluded, masks);
    if (masks.size() > 1) {
      throw PecfException.badOption(
          "Filter %s takes zeros from one part of a partition, and these weights combine %d parts."
              + " Use another weighting or another filter.",
          filter, masks.size());
    }
    return new NegativeCells(excluded, masks.stream().findFirst());
  }

  private static void collect(
      CellField field, String filter, List<SparseCells> excluded, List<PartMask> masks) {
    if (field instanceof Product product) {
      product.factors().forEach(factor -> collect(factor, filter, excluded, masks));
    } else if (field instanceof Linear linear && linear.terms().size() == 1) {
      collect(linear.terms().get(0).field(), filter, excluded, masks);
    } else if (field instanceof PartMask mask && !masks.contains(mask)) {
      masks.add(mask);
    } else if (field instanceof Observed observed) {
      if (observed.outside() == 0) {
        throw PecfException.badOption(
            "Filter %s learns by comparing positives with zeros, and zeros have no weight here."
                + " Give them a confidence above 0, such as 1:0.01, or use another filter.",
            filter);
      }
      if (observed.inside() == 0) {
        excluded.add(observed.cells());
      }
    }
  }
}
