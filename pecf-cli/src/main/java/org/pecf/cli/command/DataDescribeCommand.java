package org.pecf.cli.command;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pecf.api.plugin.Choices;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DatasetSummary;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;

/** The command that describes ratings. */
@CommandLine.Command(description = "Load ratings and describe them.")
public class DataDescribeCommand extends Command {
  private final RecordOptions<DataRequest> data =
      add(RecordOptions.of(Section.DATA, DataRequest.SCHEMA));

  private final WorkOptions work = add(WorkOptions.ofReading());

  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    WorkOptions.Work resources = work.work(catalog, data.get());
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            resources.workspace(catalog, surroundings.listener(), surroundings.interruption());
        Dataset dataset = workspace.load(resources.data())) {
      surroundings.endDisplay();
      console().print(describe(dataset).rows(console().page()));
      return 0;
    }
  }

  private static TextTable describe(Dataset dataset) {
    DatasetSummary summary = dataset.summary();
    TextTable table = new TextTable().left("what", "value");
    row(
        table,
        "users",
        Figures.count(summary.users()) + ", ids " + Choices.nameOf(summary.userIds()));
    row(
        table,
        "items",
        Figures.count(summary.items()) + ", ids " + Choices.nameOf(summary.itemIds()));
    row(table, "positives", Figures.count(summary.positives()));
    row(table, "density", String.format(Locale.ROOT, "%.4f %%", 100 * summary.density()));
    row(table, "positives a user", spread(summary.perUser()));
    row(table, "positives an item", spread(summary.perItem()));
    row(table, "ratings read", Figures.count(summary.ratingsRead()));
    row(table, "of them duplicates", Figures.count(summary.droppedAsDuplicates()));
    row(table, "not positive", Figures.count(summary.droppedByRule()));
    row(table, "of rare users or items", Figures.count(summary.droppedByRarity()));
    if (!summary.ratings().isEmpty()) {
      row(
          table,
          "rating values",
          summary.ratings().entrySet().stream()
              .map(entry -> entry.getKey() + ": " + Figures.count(entry.getValue()))
              .collect(Collectors.joining(", ")));
    }
    summary
        .times()
        .ifPresent(
            times ->
                row(
                    table,
                    "times",
                    Figures.time(times.first()) + " to " + Figures.time(times.last())));
    if (!summary.parts().isEmpty()) {
      row(
          table,
          "training, validation, test",
          summary.parts().stream().map(Figures::count).collect(Collectors.joining(", ")));
    }
    row(table, "fingerprint", dataset.fingerprint());
    return table;
  }

  private static void row(TextTable table, String what, String value) {
    table.row(what, value);
  }

  private static String spread(DatasetSummary.Spread spread) {
    return String.format(
        Locale.ROOT, "%d to %d, median %.4g", spread.least(), spread.most(), spread.median());
  }
}
