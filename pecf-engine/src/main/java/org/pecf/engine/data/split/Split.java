package org.pecf.engine.data.split;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;

/**
 * The positives of each part, and how zeros are divided.
 *
 * @param training the positives to learn from
 * @param validation the positives to choose by
 * @param test the positives to report on
 * @param partition if present, every cell of the grid, zeros included, belongs to one of the parts
 *     that this divides the grid into; if absent, only positives are held out and every zero is a
 *     training cell
 */
public record Split(
    SparseCells training,
    SparseCells validation,
    SparseCells test,
    Optional<CellPartition> partition)
    implements AutoCloseable {
  /** Return the positives of a part; borrowed. */
  public SparseCells positives(Part part) {
    return switch (part) {
      case TRAINING -> training;
      case VALIDATION -> validation;
      case TEST -> test;
    };
  }

  /** Return a part to measure predictions on; it borrows from this split. */
  public MeasuredPart part(Part part) {
    List<SparseCells> earlier =
        Arrays.stream(Part.values()).limit(part.ordinal()).map(this::positives).toList();
    return new MeasuredPart(part, positives(part), earlier, partition);
  }

  @Override
  public void close() {
    training.close();
    validation.close();
    test.close();
  }
}
