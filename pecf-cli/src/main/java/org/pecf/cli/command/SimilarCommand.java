package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Progress;
import org.pecf.cli.option.IdList;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.cli.run.Interruption;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.engine.recommend.UserRecommendations.Source;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that finds the items most similar to others. */
@CommandLine.Command(
    name = "similar",
    abbreviateSynopsis = true,
    description = "Find the items of a stored model that are most similar to one, or to each.")
public final class SimilarCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(
      names = "--item",
      paramLabel = "ID,...",
      description = "Items, by the ids in the data; repeatable.")
  private List<String> named = new ArrayList<>();

  @Option(names = "--all-items", description = "All items of the model, in the order of ids.")
  private boolean allItems;

  @Option(
      names = "--liked-by",
      paramLabel = "ID,...",
      split = ",",
      hideParamSyntax = true,
      description = "Instead of items of the model: the users who like a new one.")
  private List<String> users = new ArrayList<>();

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "The number of items in each list (default: 10).")
  private int top = 10;

  @Option(
      names = "--titles",
      paramLabel = "FILE",
      description =
          "Show the titles of items from a text file: an item per line, its id, then its title.")
  private @Nullable Path titles;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description =
          "The form of the output: table, csv, json, jsonl (a line per item), arrow or parquet"
              + " (default: by the name of the file, else table).")
  private @Nullable String form;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to this file, which appears when it is complete.")
  private @Nullable Path out;

  @Mixin private WorkOptions options = WorkOptions.ofRanking();

  /** Create the command. */
  public SimilarCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    if ((named.isEmpty() ? 0 : 1) + (allItems ? 1 : 0) + (users.isEmpty() ? 0 : 1) != 1) {
      throw PecfException.badOption(
          "Name items with --item ID, take --all-items, or name the users of a new one with"
              + " --liked-by ID,ID.");
    }
    PluginCatalog catalog = catalog();
    RecommendationOutput output =
        RecommendationOutput.of(Optional.ofNullable(form), Optional.ofNullable(out), catalog);
    int interrupted = 0;
    try (Display display = Display.on(console(), output.progress(common().progress()));
        Interruption interruption =
            Interruption.listen(() -> {}, display, console(), this::loadedCatalog)) {
      display.show(Progress.activity("opening the model"));
      Workspace workspace =
          new Workspace(catalog, options.compute(catalog), RunListener.none(), interruption);
      try (Recommender recommender = Recommender.open(model, workspace)) {
        warnIfIncomplete(model, recommender.description());
        write(recommender, output, workspace, display);
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

  private void write(
      Recommender recommender, RecommendationOutput output, Workspace workspace, Display display) {
    List<String> items = IdList.named(named, recommender.items());
    int count = allItems ? recommender.items().size() : Math.max(1, items.size());
    Stream<UserRecommendations> lists =
        allItems
            ? recommender.similarToAll(top)
            : users.isEmpty()
                ? items.stream()
                    .map(item -> list(item, recommender.similar(item, top)))
                    .toList()
                    .stream()
                : Stream.of(list("new", recommender.similarToNew(users, top)));
    IdKind kind = recommender.items().kind();
    RecommendationTable.Columns columns =
        new RecommendationTable.Columns(
            "item",
            users.isEmpty() ? kind : IdKind.TEXT,
            "similar",
            kind,
            "similarity",
            Optional.ofNullable(titles)
                .map(place -> ItemTitles.read(place, recommender.items())::of),
            false);
    output.write(lists, count, allItems, columns, console(), workspace.context(), display);
  }

  private static UserRecommendations list(String item, List<Recommendation> similar) {
    return new UserRecommendations(item, Source.MODEL, similar);
  }
}
