package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Progress;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.cli.run.Interruption;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/** A command that makes lists of items by a stored model. */
abstract class ListsCommand extends ModelCommand {
  /** The options about lists. */
  record ListOptions(
      @Option(value = "The number of items in each list", label = "K", defaultValue = "10", min = 1)
          int top,
      @Option(
              value =
                  "Show the titles of items from a text file: an item per line, its id, then its"
                      + " title",
              label = "FILE")
          Optional<Path> titles,
      @Option(
              value =
                  "The form of the output: table, csv, json, jsonl (a line per list), arrow or"
                      + " parquet",
              label = "FORM",
              unset = "by the name of the file, else table")
          Optional<String> outputFormat,
      @Option(value = "Write to this file, which appears when it is complete", label = "FILE")
          Optional<Path> out) {
    /** Return the titles of the items of a model, if they are to be shown. */
    Optional<Function<String, String>> titles(Recommender recommender) {
      return titles.map(place -> ItemTitles.read(place, recommender.items())::of);
    }
  }

  /**
   * The things that lists are made with.
   *
   * @param workspace memory and threads
   */
  record Surroundings(
      PluginCatalog catalog,
      Recommender recommender,
      RecommendationOutput output,
      Workspace workspace) {}

  private final WorkOptions work = add(WorkOptions.ofRanking());

  /** Check the options before anything is loaded, and return those about lists. */
  abstract ListOptions check();

  /** Make lists, which may be computed as they are written. */
  abstract RecommendationOutput.Lists make(Surroundings surroundings);

  /** Return the options of the work. */
  final WorkOptions work() {
    return work;
  }

  /** Return the resources. */
  ComputeRequest compute(PluginCatalog catalog) {
    return work.compute(catalog);
  }

  @Override
  public final int run() {
    ListOptions lists = check();
    PluginCatalog catalog = catalog();
    RecommendationOutput output =
        RecommendationOutput.of(lists.outputFormat(), lists.out(), catalog);
    int interrupted = 0;
    try (Display display = Display.on(console(), output.progress(common().progress()));
        Interruption interruption =
            Interruption.listen(() -> {}, display, console(), this::loadedCatalog)) {
      display.show(Progress.activity("opening the model"));
      Workspace workspace =
          new Workspace(catalog, compute(catalog), RunListener.none(), interruption);
      try (Recommender recommender = Recommender.open(model(), workspace)) {
        warnIfIncomplete(recommender.description());
        RecommendationOutput.Lists made =
            make(new Surroundings(catalog, recommender, output, workspace));
        output.write(made, console(), workspace.context(), display);
      } catch (PecfException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
        interrupted = interruption.exitCode();
      }
    }
    if (interrupted != 0) {
      console().error(output.interrupted());
    }
    return interrupted;
  }
}
