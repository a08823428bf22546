package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.effort.Effort;
import org.pecf.study.effort.SettingsSearch;
import picocli.CommandLine.Option;

/** The option that says how much work is spent on finding settings. */
@Section(Sections.ENSEMBLE)
public final class EffortOptions {
  private static final String NONE = "none";

  @Option(
      names = "--effort",
      paramLabel = "HOW",
      description =
          "How much work is spent on choosing rank, lambda, confidence, frequency exponent and"
              + " rounds for the data: none, quick, normal or thorough (default: quick if none of"
              + " these is given, else none).")
  @Nullable String effort;

  /**
   * Return the effort to spend on a request, if any.
   *
   * @throws PecfException if an effort was asked for that would have no effect
   */
  public Optional<Effort> effort(RequestOptions given, TrainingRequest request) {
    boolean possible = SettingsSearch.applies(given, request) && request.split().holdsOut();
    if (effort == null) {
      return Optional.of(Effort.QUICK)
          .filter(usual -> possible && SettingsSearch.allOpen(given, request));
    }
    List<String> names = new ArrayList<>(List.of(NONE));
    Arrays.stream(Effort.values()).map(Effort::toString).forEach(names::add);
    String name = Choices.find("effort", effort, names, Function.identity());
    if (name.equals(NONE)) {
      return Optional.empty();
    }
    Effort asked = Choices.find("effort", name, Effort.class);
    if (!possible) {
      throw PecfException.badOption(
          "--effort %s has no effect here: settings are searched for one filter with penalties by"
              + " weight, such as wmf, on a split with a validation part, and only those that are"
              + " not given. Leave it out.",
          asked);
    }
    return Optional.of(asked);
  }

  /** Return whether an effort was asked for. */
  public boolean given() {
    return effort != null;
  }

  /** Return the effort as it was given. */
  public Optional<String> text() {
    return Optional.ofNullable(effort);
  }
}
