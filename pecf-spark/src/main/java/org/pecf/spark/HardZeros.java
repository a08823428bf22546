package org.pecf.spark;

import java.util.Locale;
import org.pecf.api.PecfException;

/** The rule by which all cells are scanned for zeros that the ensemble predicts badly. */
enum HardZeros {
  /** Scan up to {@link #LIMIT} cells, and none above. */
  AUTO,
  /** Scan. */
  SCAN,
  /** Do not scan. */
  NONE;

  /** The cells up to which a scan takes minutes to hours, not days. */
  static final double LIMIT = 1e12;

  /** Return the rule of a name. */
  static HardZeros named(String name) {
    for (HardZeros rule : values()) {
      if (rule.name().toLowerCase(Locale.ROOT).equals(name)) {
        return rule;
      }
    }
    throw PecfException.badOption(
        "There is no rule '%s' for hard zeros. Use auto, scan or none.", name);
  }

  /** Return whether a grid is scanned. */
  boolean scans(double cells) {
    return this == SCAN || this == AUTO && cells <= LIMIT;
  }
}
