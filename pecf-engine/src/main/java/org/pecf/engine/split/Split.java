package org.pecf.engine.split;

import java.util.List;
import java.util.Optional;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;

/**
 * The positives of each part, and how zeros are divided.
 *
 * @param training the positives to learn from
 * @param validation the positives to choose by
 * @param test the positives to report on
 * @param partition if present, every cell of the grid, zeros included, belongs to one of the parts
 *     {@link #TRAINING}, {@link #VALIDATION}, {@link #TEST}; if absent, only positives are held out
 *     and every zero is a training cell
 */
public record Split(
    SparseCells training,
    SparseCells validation,
    SparseCells test,
    Optional<CellPartition> partition)
    implements AutoCloseable {
  /** The part to learn from. */
  public static final int TRAINING = 0;

  /** The part to choose by. */
  public static final int VALIDATION = 1;

  /** The part to report on. */
  public static final int TEST = 2;

  /** Return a part to measure predictions on; it borrows from this split. */
  public MeasuredPart part(int part) {
    List<SparseCells> parts = List.of(training, validation, test);
    return new MeasuredPart(
        part,
        parts.get(part),
        parts.subList(0, part),
        partition.map(divided -> new PartMask(divided, part)));
  }

  @Override
  public void close() {
    training.close();
    validation.close();
    test.close();
  }
}
