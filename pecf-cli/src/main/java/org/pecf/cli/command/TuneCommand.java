package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.ConfigFile;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.report.Tables;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.SearchSpace;
import org.pecf.study.Trial;
import org.pecf.study.TuneSettings;
import org.pecf.study.Tuner;
import org.pecf.study.Tuner.TuneResult;
import org.pecf.study.report.TuneReport;
import picocli.CommandLine;

/** The command that searches for the options with the best validation metric. */
@CommandLine.Command(
    description = "Search for the options with the best validation metric.",
    footer = {
      "%nThe test part is not looked at. The same command goes on where it was interrupted.",
      "%nExample:",
      "  pecf-run tune --search lambda=log:0.01..10 --search rank=int:10..100 \\",
      "      --strategy halving --out search",
      "  pecf-run train --config search/best.yaml --out model",
    })
public final class TuneCommand extends StudyCommand {
  /** The file with the best options, for --config. */
  private static final String BEST = "best.yaml";

  private final RecordOptions<TuneSettings> search =
      add(RecordOptions.of(Section.SEARCH, TuneSettings.SCHEMA)).repeatable("search", "\n");

  @Override
  public int run() {
    Path folder = folder();
    PluginCatalog catalog = catalog();
    TrainingRequest base = options().given().trial(catalog);
    TuneSettings settings = search.get();
    Tuner tuner = new Tuner(settings, options().given(), catalog);
    if (options().output().get().overwrite()) {
      Tuner.forget(folder, BEST, TuneReport.NAME);
    }
    TuneReport report =
        new TuneReport(
            folder, base.ensemble().selection(), settings.space().logarithmic(), Version.number());
    return work(
        base,
        catalog,
        folder,
        report,
        data -> {
          TuneResult result;
          try {
            result = tuner.search(data, folder);
          } finally {
            report.end();
          }
          Path best = folder.resolve(BEST);
          OutputFile.at(best).write(best(result.best(), base));
          return () -> print(result, settings, base, best);
        });
  }

  private String best(Trial trial, TrainingRequest base) {
    Map<String, String> chosen =
        new LinkedHashMap<>(options().given().with(trial.setting()).given());
    if (base.ensemble().patience() == 0) {
      chosen.remove("select");
    }
    return String.format(
        Locale.ROOT,
        "# The best setting of a search: %s %s on validation.%n%s",
        base.ensemble().selection(),
        trial.score().orElseThrow(),
        ConfigFile.text(new RequestOptions(chosen)));
  }

  private void print(TuneResult result, TuneSettings settings, TrainingRequest base, Path best) {
    console().print(trials(result, settings, base));
    Tables.protocol(base.split(), base.evaluation()).forEach(console().out()::println);
    console().out().println();
    console()
        .out()
        .printf(
            "the best setting is number %d; train with --config %s%n",
            result.best().number(), best);
    console().out().println("page in " + best.resolveSibling(TuneReport.NAME));
  }

  /** Show the trials of a search in the order they were done. */
  private static TextTable trials(TuneResult result, TuneSettings settings, TrainingRequest base) {
    boolean halving = settings.strategy() == TuneSettings.Strategy.HALVING;
    TextTable table = new TextTable().right("setting");
    if (halving) {
      table.column(settings.budget(base).unit(), Align.RIGHT);
    }
    for (SearchSpace.Parameter parameter : settings.space().parameters()) {
      table.column(parameter.key(), Align.RIGHT);
    }
    table.column("validation " + base.ensemble().selection(), Align.RIGHT).right("time");
    for (Trial trial : result.trials()) {
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(trial.number()));
      if (halving) {
        row.add(Integer.toString(trial.budget()));
      }
      row.addAll(trial.setting().values());
      row.add(trial.succeeded() ? Figures.text(trial.score().getAsDouble()) : "failed");
      row.add(Figures.seconds(trial.seconds()));
      boolean best =
          trial.number() == result.best().number() && trial.budget() == result.best().budget();
      table.row(row, best ? Set.of(row.size() - 2) : Set.of());
    }
    return table;
  }
}
