package org.pecf.study;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;

/** The work that successive halving saves on. */
public enum Budget {
  /** Members added to the first. */
  ROUNDS,
  /** Sweeps of the filters: their option {@code iterations}. */
  ITERATIONS;

  private static final String OPTION = "iterations";

  /** Return the unit, for people. */
  public String unit() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Return the budget that suits a request: rounds if it has any. */
  public static Budget suiting(TrainingRequest request) {
    return request.ensemble().construction().rounds(request.ensemble().rounds()) > 0
        ? ROUNDS
        : ITERATIONS;
  }

  /**
   * Return the work of a full training.
   *
   * @param request with all options of its filters spelt out
   */
  public int full(TrainingRequest request) {
    if (this == ROUNDS) {
      int rounds = request.ensemble().construction().rounds(request.ensemble().rounds());
      if (rounds < 1) {
        throw PecfException.badOption(
            "Construction %s has no rounds to save on. Use the budget 'iterations'.",
            request.ensemble().construction().id());
      }
      return rounds;
    }
    List<Integer> iterations =
        request.ensemble().filters().stream().map(Budget::iterations).toList();
    if (iterations.stream().distinct().count() > 1) {
      throw PecfException.badOption(
          "The filters' iterations differ: %s. Give them the same number, or use the budget"
              + " 'rounds'.",
          iterations);
    }
    return iterations.get(0);
  }

  private static int iterations(ProviderChoice filter) {
    String text = filter.options().get(OPTION);
    if (text == null) {
      throw PecfException.badOption(
          "Filter %s has no option 'iterations' to save on. Use the budget 'rounds' or the strategy"
              + " 'random'.",
          filter.id());
    }
    return Integer.parseInt(text);
  }

  /** Return a request with so much work. */
  public TrainingRequest apply(TrainingRequest request, int amount) {
    String text = Integer.toString(amount);
    return request.withEnsemble(
        this == ROUNDS
            ? request.ensemble().with(Map.of("rounds", text))
            : request.ensemble().withFilterOption(OPTION, text));
  }
}
