package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.option.ConfigFile;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.Section;
import org.pecf.cli.report.Tables;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.Method;
import org.pecf.study.PaperData;
import org.pecf.study.Reproduction;
import org.pecf.study.StudyBase;
import org.pecf.study.StudyJobs;
import org.pecf.study.StudySettings;
import org.pecf.study.StudyText;
import picocli.CommandLine;

/** The command that repeats the paper's study. */
@CommandLine.Command(
    description = "Repeat the paper's study: its tables and figures, on any data.",
    footer = {
      "%nThe options of training set what the methods have in common. The same command goes on"
          + " where",
      "it was interrupted.",
      "%nExample:",
      "  pecf-run reproduce --data citeulike-a --format citeulike --out study",
    })
public final class ReproduceCommand extends StudyCommand {
  private final RecordOptions<StudySettings> settings =
      add(RecordOptions.of(Section.STUDY, StudySettings.SCHEMA)).repeatable("tuned", "\n");

  @Override
  public int run() {
    Path folder = folder();
    PluginCatalog catalog = catalog();
    StudySettings study = settings.get();
    Map<Method, TrainingRequest> tuned = tuned(study.tuned(), catalog);
    RequestOptions given = options().given().withDefaults(StudyBase.defaults(study.quick()));
    TrainingRequest base = StudyBase.of(given, catalog, tuned).pecf();
    if (options().output().get().overwrite()) {
      StudyJobs.forget(folder);
    }
    return work(
        base,
        catalog,
        folder,
        event -> {},
        data -> {
          Map<String, String> rank =
              PaperData.of(data.dataset().shape())
                  .map(paper -> Map.of("rank", Integer.toString(paper.rank())))
                  .orElse(Map.of());
          StudyBase whole = StudyBase.of(given.withDefaults(rank), catalog, tuned);
          StudyText report = new Reproduction(whole, study, data, folder).run();
          return () -> print(report, "report.html, results.md and results.json are in " + folder);
        });
  }

  /** Read the settings of the methods that have their own. */
  private static Map<Method, TrainingRequest> tuned(
      StudySettings.Tuned methods, PluginCatalog catalog) {
    Map<Method, TrainingRequest> requests = new LinkedHashMap<>();
    methods
        .files()
        .forEach(
            (method, file) -> {
              TrainingRequest request = ConfigFile.read(file).training().trial(catalog);
              method.check(request, file.toString());
              requests.put(method, request);
            });
    return requests;
  }

  private void print(StudyText report, String places) {
    Terminal page = console().page();
    console()
        .print(
            page.equals(Terminal.none())
                ? report.markdown().lines().toList()
                : Tables.lines(report.blocks(), page));
    console().out().println();
    console().out().println(places);
  }
}
