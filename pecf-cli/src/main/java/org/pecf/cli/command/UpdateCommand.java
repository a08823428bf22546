package org.pecf.cli.command;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.cli.console.Figures;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.CreationTime;
import org.pecf.cli.report.Tables;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.update.ModelUpdate;
import org.pecf.engine.recommend.update.UpdateChange;
import org.pecf.engine.recommend.update.UpdateRequest;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;

/** The command that lets a stored model learn new positives, users and items. */
@CommandLine.Command(
    description =
        "Let a stored model learn new positives, users and items by a few sweeps that begin with"
            + " its factors. A fifth of the new positives of known users is held out first, to"
            + " measure the model before and after; then all of them are learned.")
public final class UpdateCommand extends ModelCommand {
  /** The work and its place. */
  private record Options(
      @Option(
              value =
                  "Store the updated model in this folder; with --overwrite, MODEL itself may be",
              label = "DIR")
          Path out,
      @Option(value = "Replace the model that the output folder holds", defaultValue = "false")
          boolean overwrite,
      @Option(value = "The sweeps of each member", defaultValue = "2") int sweeps) {}

  private final RecordOptions<Options> options =
      add(MethodHandles.lookup(), Options.class).require("out");

  private final RecordOptions<DataRequest> data =
      add(RecordOptions.of(Section.DATA, DataRequest.SCHEMA))
          .without("validation-data", "test-data")
          .unset("data", "none, they must be named");

  private final WorkOptions work = add(WorkOptions.ofTraining());

  @Override
  public int run() {
    if (!data.names("data")) {
      throw PecfException.badOption("There is nothing to learn. Name new ratings with --data.");
    }
    Options given = options.get();
    ModelStore.checkPlace(given.out(), given.overwrite());
    PluginCatalog catalog = catalog();
    WorkOptions.Work resources = work.work(catalog, data.get());
    warnIfIncomplete(ModelStore.describe(model()));
    UpdateRequest request = new UpdateRequest(model(), resources.data(), given.sweeps());
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            resources.workspace(catalog, surroundings.listener(), surroundings.interruption());
        ModelUpdate update = ModelUpdate.run(request, workspace)) {
      surroundings.endDisplay();
      print(update);
      update.save(given.out(), given.overwrite(), CreationTime.now(System.getenv()));
      console().out().println("model in " + given.out());
      return 0;
    }
  }

  private void print(ModelUpdate update) {
    PrintStream lines = console().out();
    UpdateChange change = update.change();
    lines.printf(
        "learned %s new positives beside %s, of %s new users and %s new items among others%n",
        Figures.count(change.newPositives()),
        Figures.count(change.positives()),
        Figures.count(change.newUsers()),
        Figures.count(change.newItems()));
    if (change.heldOut() > 0) {
      Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
      metrics.put("before", change.before());
      metrics.put("after", change.after());
      console().print(Tables.metrics(metrics));
      lines.printf(
          "measured on %s new positives of known users, held out for this and learned afterwards%n",
          Figures.count(change.heldOut()));
    } else {
      lines.println(
          change.ofKnownUsers() == 0
              ? "nothing was measured: no new positive belongs to a known user"
              : "nothing was measured: the fifth to hold out of "
                  + Figures.count(change.ofKnownUsers())
                  + " new positives of known users came out empty");
    }
    change.advice(update.metric()).ifPresent(console()::warning);
  }
}
