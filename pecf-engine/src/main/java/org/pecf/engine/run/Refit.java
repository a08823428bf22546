package org.pecf.engine.run;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.engine.data.split.SplitRule;

/** The parts of the data that a measured plan is trained on again. */
public enum Refit {
  /** Training and validation, after which the test part measures the new model. */
  TRAINING_AND_VALIDATION("training,validation"),
  /** All parts, after which nothing is left to measure the new model on. */
  ALL("training,validation,test");

  private final String parts;

  Refit(String parts) {
    this.parts = parts;
  }

  /**
   * Read the names of parts, in any order.
   *
   * @throws PecfException if a plan cannot be trained on these
   */
  public static Refit parse(String text) {
    Set<String> asked =
        Arrays.stream(text.split(",", -1)).map(String::strip).collect(Collectors.toSet());
    return Arrays.stream(values())
        .filter(refit -> Set.of(refit.parts.split(",")).equals(asked))
        .findFirst()
        .orElseThrow(
            () ->
                PecfException.badOption(
                    "A plan cannot be trained on '%s' in the end. Write %s, or %s.",
                    text, TRAINING_AND_VALIDATION, ALL));
  }

  /** Return the rule that leaves these parts to training, where another one measured the plan. */
  SplitRule rule(SplitRule measured) {
    return this == ALL ? SplitRule.none() : measured.joined();
  }

  @Override
  public String toString() {
    return parts;
  }
}
