package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.Budget;
import org.pecf.study.SearchSpace;
import org.pecf.study.TuneSettings;
import picocli.CommandLine.Option;

/** The options about what is searched, and how. */
@Section(Sections.SEARCH)
public final class TuneOptions {
  @Option(
      names = "--search",
      paramLabel = "OPTION=RANGE",
      description =
          "Search an option of the ensemble or of a plugin (wmf.deviation); repeatable. Ranges are"
              + " a..b, log:a..b, int:a..b and '{x,y,z}'.")
  List<String> search = new ArrayList<>();

  @Option(
      names = "--trials",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "How many settings are drawn (default: 20).")
  Optional<Integer> trials = Optional.empty();

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description =
          "random (each setting is trained in full) or halving (the better ones of short trainings"
              + " are trained longer; default: random).")
  Optional<String> strategy = Optional.empty();

  @Option(
      names = "--budget",
      paramLabel = "WHAT",
      description =
          "What halving saves on: rounds or iterations (default: rounds, if there are any).")
  Optional<String> budget = Optional.empty();

  @Option(
      names = "--reduction",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Halving keeps one in this many settings each time (default: 3).")
  Optional<Integer> reduction = Optional.empty();

  @Option(
      names = "--tune-seed",
      converter = LargeWholeNumber.class,
      paramLabel = "N",
      description = "Decides which settings are drawn (default: 1).")
  Optional<Long> tuneSeed = Optional.empty();

  /**
   * Return how to search.
   *
   * @param base the training as it is without the options searched
   */
  public TuneSettings settings(TrainingRequest base) {
    TuneSettings.Strategy chosen =
        strategy
            .map(name -> OptionValues.choice("--strategy", name, TuneSettings.Strategy.values()))
            .orElse(TuneSettings.Strategy.RANDOM);
    if (chosen == TuneSettings.Strategy.RANDOM && (budget.isPresent() || reduction.isPresent())) {
      throw PecfException.badOption(
          "%s has no effect without --strategy halving. Leave it out.",
          budget.isPresent() ? "--budget" : "--reduction");
    }
    return new TuneSettings(
        SearchSpace.parse(search),
        OptionValues.atLeast("--trials", trials, 1, 20),
        chosen,
        budget
            .map(name -> OptionValues.choice("--budget", name, Budget.values()))
            .orElseGet(() -> Budget.suiting(base)),
        OptionValues.atLeast("--reduction", reduction, 2, 3),
        tuneSeed.orElse(1L));
  }
}
