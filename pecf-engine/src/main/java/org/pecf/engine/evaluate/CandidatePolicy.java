package org.pecf.engine.evaluate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.split.MeasuredPart;
import org.pecf.engine.data.split.SplitRule;

/** The items that are ranked for a user. */
public enum CandidatePolicy {
  /** All items but the positives of the parts before the one measured: those known at that time. */
  ALL_BUT_KNOWN("all items but the positives of earlier parts"),
  /** All items but the training positives; validation positives compete when test is measured. */
  ALL_BUT_TRAINING("all items but the training positives"),
  /** The cells of the measured part only; needs a split that divides zeros. */
  PART_CELLS("the part's own cells only"),
  /** All items. */
  ALL("all items");

  private final String description;

  CandidatePolicy(String description) {
    this.description = description;
  }

  /** Return the default policy for a split. */
  public static CandidatePolicy usual(SplitRule split) {
    return split.dividesZeros() ? PART_CELLS : ALL_BUT_KNOWN;
  }

  /** Return the name in commands and files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return a short description: "all items but ...". */
  public String description() {
    return description;
  }

  /** Return the positives that are not ranked when a part is measured; borrowed. */
  public List<SparseCells> excluded(MeasuredPart part) {
    return switch (this) {
      case ALL_BUT_TRAINING -> part.earlier().stream().limit(1).toList();
      case ALL_BUT_KNOWN -> part.earlier();
      case PART_CELLS, ALL -> List.of();
    };
  }

  /** Return the cells that alone are ranked when a part is measured, if not all are. */
  public Optional<PartMask> cells(MeasuredPart part) {
    return this == PART_CELLS ? part.cells() : Optional.empty();
  }

  /** Return a sentence on what metrics reward beyond good predictions, if anything. */
  public Optional<String> caveat(SplitRule split) {
    return split.dividesZeros() && this != PART_CELLS
        ? Optional.of(
            "Caution: zeros that training has seen are ranked beside cells that it has not, so a"
                + " model that merely remembers them scores above chance; compare methods with"
                + " the candidates part-cells or the split positives:3:1:1.")
        : Optional.empty();
  }
}
