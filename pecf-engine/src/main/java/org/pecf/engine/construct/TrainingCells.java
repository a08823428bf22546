package org.pecf.engine.construct;

import java.util.Optional;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.Split;

/**
 * The training part of a split as cell fields: everything that filters, weighting schemes and
 * backends learn from. The other parts cannot be reached from it.
 *
 * @param positives the training positives, borrowed
 * @param mask the training cells, if the split divides zeros too; else every cell is one, and a
 *     positive that was held out looks like any zero
 * @param confidence c of positives and zeros
 */
public record TrainingCells(SparseCells positives, Optional<PartMask> mask, Confidence confidence) {
  /** Take the training part of a split, which is borrowed. */
  public static TrainingCells of(Split split, Confidence confidence) {
    return new TrainingCells(
        split.training(),
        split.partition().map(partition -> partition.mask(Part.TRAINING)),
        confidence);
  }

  /** Return the same cells with other weights of positives and zeros. */
  TrainingCells with(Confidence changed) {
    return new TrainingCells(positives, mask, changed);
  }

  /** Return the grid. */
  public GridShape shape() {
    return new GridShape(positives.users(), positives.items());
  }

  /** Return r: 1 on training positives, else 0. */
  public CellField ratings() {
    return CellField.observed(positives, 1, 0);
  }

  /** Return c on training cells, zero elsewhere. */
  public CellField weights() {
    CellField weights = confidence.weights(positives);
    return mask.isPresent() ? CellField.product(weights, mask.get()) : weights;
  }
}
