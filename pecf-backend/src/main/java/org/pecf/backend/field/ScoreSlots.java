package org.pecf.backend.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The combinations of scores that a program of fields reads, each computed once per window. A
 * combination is named by its index: its slot.
 */
public final class ScoreSlots {
  private final List<ScoreCombination> combinations = new ArrayList<>();

  /** Create no slots yet. */
  public ScoreSlots() {}

  /**
   * A slot, added or subtracted.
   *
   * @param sign 1 or -1
   * @param slot the index of the combination
   */
  public record Term(int sign, int slot) {}

  /** Return the combinations, by slot. */
  public List<ScoreCombination> combinations() {
    return List.copyOf(combinations);
  }

  /** Return the slot that holds a combination or its negative; add one if there is none. */
  public Term name(ScoreCombination wanted) {
    return find(wanted).orElseGet(() -> add(wanted));
  }

  /** Return slots that add up to a combination: existing ones as far as they do, then a new one. */
  public List<Term> compose(ScoreCombination wanted) {
    List<Term> terms = new ArrayList<>();
    compose(wanted, terms);
    return terms;
  }

  private void compose(ScoreCombination wanted, List<Term> terms) {
    Optional<Term> whole = find(wanted);
    if (whole.isPresent()) {
      terms.add(whole.get());
      return;
    }
    for (int slot = 0; slot < combinations.size(); slot++) {
      for (int sign = -1; sign <= 1; sign += 2) {
        Optional<ScoreCombination> rest = wanted.without(combinations.get(slot), sign);
        if (rest.isPresent()) {
          terms.add(new Term(sign, slot));
          compose(rest.get(), terms);
          return;
        }
      }
    }
    terms.add(add(wanted));
  }

  private Optional<Term> find(ScoreCombination wanted) {
    for (int slot = 0; slot < combinations.size(); slot++) {
      int sign = wanted.signTo(combinations.get(slot));
      if (sign != 0) {
        return Optional.of(new Term(sign, slot));
      }
    }
    return Optional.empty();
  }

  private Term add(ScoreCombination combination) {
    combinations.add(combination);
    return new Term(1, combinations.size() - 1);
  }
}
