package org.pecf.engine.split;

import java.util.List;
import java.util.Optional;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;

/**
 * A part of a split to measure predictions on, with the positives of earlier parts, which may be
 * known. Later parts cannot be reached from it: the metrics of the validation part do not depend on
 * the test part.
 *
 * @param part which part, such as {@link Split#TEST}
 * @param positives the positives of the part, borrowed
 * @param earlier the positives of the parts before it, training first; borrowed
 * @param cells the cells of the part, if the split divides zeros too; else every cell without an
 *     earlier positive belongs to it
 */
public record MeasuredPart(
    int part, SparseCells positives, List<SparseCells> earlier, Optional<PartMask> cells) {
  private static final List<String> NAMES = List.of("training", "validation", "test");

  public MeasuredPart {
    earlier = List.copyOf(earlier);
  }

  /** Return the part's name. */
  public String name() {
    return NAMES.get(part);
  }
}
