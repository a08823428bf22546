package org.pecf.engine.data.split;

import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellPartition;

/**
 * The sizes of the parts in proportion to each other.
 *
 * @param training at least 1
 * @param validation at least 0
 * @param test at least 1
 */
record Shares(int training, int validation, int test) {
  /** The shares of the paper, used unless others are asked for. */
  static final Shares USUAL = new Shares(3, 1, 1);

  Shares {
    if (training < 1 || validation < 0 || test < 1) {
      throw new IllegalArgumentException(
          "training and test need a share: " + training + ":" + validation + ":" + test);
    }
  }

  /**
   * Read shares.
   *
   * @param rule the whole text of the rule, for messages
   * @param words the numbers; none for the usual shares
   */
  static Shares parse(String rule, List<String> words) {
    if (words.isEmpty()) {
      return USUAL;
    }
    try {
      if (words.size() == 3) {
        return new Shares(
            Integer.parseInt(words.get(0)),
            Integer.parseInt(words.get(1)),
            Integer.parseInt(words.get(2)));
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw PecfException.badOption(
        "The split '%s' does not give the sizes of training, validation and test. Write three whole"
            + " numbers such as '%s:%s'; only validation may be 0.",
        rule, rule.strip().split(":", 2)[0], USUAL);
  }

  /** Return the shares of the same parts but for validation, which is part of training. */
  Shares joined() {
    return new Shares(Math.addExact(training, validation), 0, test);
  }

  long total() {
    return (long) training + validation + test;
  }

  /** Divide cells by hash in these proportions. */
  CellPartition partition(long seed) {
    return new CellPartition(seed, training, validation, test);
  }

  @Override
  public String toString() {
    return training + ":" + validation + ":" + test;
  }
}
