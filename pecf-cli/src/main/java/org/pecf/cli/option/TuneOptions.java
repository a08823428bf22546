package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.List;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.Budget;
import org.pecf.study.SearchSpace;
import org.pecf.study.TuneSettings;
import picocli.CommandLine.Option;

/** Take the options that say what is searched, and how. Null is what was not said. */
@Section("Search")
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
  Integer trials;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description =
          "random (each setting is trained in full) or halving (the better ones of short trainings"
              + " are trained longer; default: random).")
  String strategy;

  @Option(
      names = "--budget",
      paramLabel = "WHAT",
      description =
          "What halving saves on: rounds or iterations (default: rounds, if there are any).")
  String budget;

  @Option(
      names = "--reduction",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Halving keeps one of so many settings each time (default: 3).")
  Integer reduction;

  @Option(
      names = "--tune-seed",
      converter = LargeWholeNumber.class,
      paramLabel = "N",
      description = "Decides which settings are drawn (default: 1).")
  Long tuneSeed;

  /**
   * Say how to search.
   *
   * @param base the training as it is without the options searched
   */
  public TuneSettings settings(TrainingRequest base) {
    TuneSettings.Strategy chosen =
        strategy == null
            ? TuneSettings.Strategy.RANDOM
            : Values.choice("--strategy", strategy, TuneSettings.Strategy.values());
    if (chosen == TuneSettings.Strategy.RANDOM && (budget != null || reduction != null)) {
      throw Values.bad(
          (budget == null ? "--reduction" : "--budget")
              + " has no meaning without --strategy halving. Leave it out");
    }
    return new TuneSettings(
        SearchSpace.parse(search),
        Values.atLeast("--trials", trials, 1, 20),
        chosen,
        budget == null ? Budget.suiting(base) : Values.choice("--budget", budget, Budget.values()),
        Values.atLeast("--reduction", reduction, 2, 3),
        tuneSeed == null ? 1 : tuneSeed);
  }
}
