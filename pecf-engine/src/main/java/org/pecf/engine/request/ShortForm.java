package org.pecf.engine.request;

import java.util.List;
import java.util.Optional;
import org.pecf.engine.plugin.ProviderKind;

/**
 * A short form of an option of plugins: it sets the option of the same key of every plugin of a
 * kind that a run uses.
 *
 * @param key the key, such as {@code rank} for {@code wmf.rank}
 * @param kind the kind of plugins
 * @param label a short placeholder for the value in help texts
 * @param description its meaning, in one line without a full stop
 */
public record ShortForm(String key, ProviderKind<?> kind, String label, String description) {
  /** The short form of a fixed alpha, whose option has another key. */
  static final String SHRINKAGE = "shrinkage";

  private static final List<ShortForm> ALL =
      List.of(
          new ShortForm(
              "rank",
              ProviderKind.FILTER,
              "D",
              "The number of factors of a filter: sets the filters' option 'rank'"),
          new ShortForm(
              "iterations",
              ProviderKind.FILTER,
              "N",
              "The number of sweeps that train a filter: sets the filters' option 'iterations'"),
          new ShortForm(
              "lambda",
              ProviderKind.FILTER,
              "X",
              "How strongly factors are held small: sets the filters' option 'lambda'"),
          new ShortForm(
              "nu", ProviderKind.WEIGHTING, "X", "Sets the weighting scheme's option 'nu'"),
          new ShortForm(
              "sigma", ProviderKind.WEIGHTING, "X", "Sets the weighting scheme's option 'sigma'"),
          new ShortForm(
              "scaling",
              ProviderKind.WEIGHTING,
              "HOW",
              "Sets the weighting scheme's option 'scaling'"),
          new ShortForm(
              SHRINKAGE,
              ProviderKind.ALPHA,
              "S",
              "How much a new member of l2boost or boosted counts: the same as alpha fixed:S"));

  /** Return all short forms. */
  public static List<ShortForm> all() {
    return ALL;
  }

  /** Return whether a key stands for the option of the same key of filters. */
  public static boolean isOfFilters(String key) {
    return of(key).filter(form -> form.kind == ProviderKind.FILTER).isPresent();
  }

  /** Return the short form of a key. */
  static Optional<ShortForm> of(String key) {
    return ALL.stream().filter(form -> form.key.equals(key)).findFirst();
  }
}
