package org.pecf.engine.data.split;

import java.util.List;
import java.util.Optional;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;

/**
 * A part of a split to measure predictions on, with the positives of earlier parts, which may be
 * known. Later parts cannot be reached from it: the metrics of the validation part do not depend on
 * the test part.
 *
 * @param part the part
 * @param positives the positives of the part, borrowed
 * @param earlier the positives of the parts before it, training first; borrowed
 * @param partition how zeros are divided, if they are; else every cell without an earlier positive
 *     belongs to the part
 */
public record MeasuredPart(
    Part part,
    SparseCells positives,
    List<SparseCells> earlier,
    Optional<CellPartition> partition) {
  public MeasuredPart {
    earlier = List.copyOf(earlier);
  }

  /** Return the cells of the part, if the split divides zeros too. */
  public Optional<PartMask> cells() {
    return partition.map(divided -> divided.mask(part));
  }
}
