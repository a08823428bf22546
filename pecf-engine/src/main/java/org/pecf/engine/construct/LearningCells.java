package org.pecf.engine.construct;

import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.split.Split;

/**
 * Describe ratings and confidences of a split as cell fields.
 *
 * @param split the split, borrowed
 * @param confidence c of positives and zeros
 */
public record LearningCells(Split split, Confidence confidence) {
  /** Return the grid. */
  public GridShape shape() {
    return new GridShape(split.training().users(), split.training().items());
  }

  /** Return the ratings that a filter learns from: 1 on training positives, else 0. */
  public CellField ratings() {
    return CellField.observed(split.training(), 1, 0);
  }

  /** Return the ratings of the validation cells: 1 on validation positives, else 0. */
  public CellField validationRatings() {
    return CellField.observed(split.validation(), 1, 0);
  }

  /**
   * Return c on training cells, zero elsewhere. Where only positives are held out, every other cell
   * is a training cell, and held-out positives look like zeros.
   *
   * <p>Where all cells are divided, the mask alone makes held-out cells weigh nothing. Naming the
   * held-out positives as well changes no value, but makes them exceptions on the corrected path,
   * which takes other held-out cells by expectation: a cell that is scored high and weighs nothing
   * must not be taken for a zero.
   */
  public CellField trainingConfidence() {
    return split.partition().isPresent()
        ? CellField.product(
            masked(split.training(), Split.TRAINING),
            CellField.observed(split.validation(), 0, 1),
            CellField.observed(split.test(), 0, 1))
        : CellField.observed(split.training(), confidence.positive(), confidence.zero());
  }

  /**
   * Return c on validation cells, zero elsewhere. Where only positives are held out, zeros of all
   * parts stand in for the zeros of this one.
   */
  public CellField validationConfidence() {
    return split.partition().isPresent()
        ? masked(split.validation(), Split.VALIDATION)
        : CellField.product(
            CellField.observed(split.validation(), confidence.positive(), confidence.zero()),
            CellField.observed(split.training(), 0, 1),
            CellField.observed(split.test(), 0, 1));
  }

  private CellField masked(SparseCells positives, int part) {
    return CellField.product(
        CellField.observed(positives, confidence.positive(), confidence.zero()),
        new PartMask(split.partition().orElseThrow(), part));
  }
}
