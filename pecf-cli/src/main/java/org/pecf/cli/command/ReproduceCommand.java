package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.StudyOptions;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.run.TrainingRequest;
import org.pecf.engine.study.Method;
import org.pecf.engine.study.PaperData;
import org.pecf.engine.study.Reproduction;
import org.pecf.engine.study.StudyScope;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Repeat the paper's study. */
@CommandLine.Command(
    name = "reproduce",
    abbreviateSynopsis = true,
    description = "Repeat the paper's study: its tables and figures, on any data.",
    footer = {
      "%nThe options of training set what the methods have in common. The same command goes on where",
      "it was interrupted.",
      "%nExample:",
      "  pecf-run reproduce --data citeulike-a --format citeulike --out study",
    })
public final class ReproduceCommand extends StudyCommand {
  @Mixin private StudyOptions study = new StudyOptions();

  /** Create the command. */
  public ReproduceCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    Path folder = folder();
    PluginCatalog catalog = catalog();
    StudyScope scope = study.scope();
    Map<Method, TrainingRequest> tuned = study.tuned(catalog);
    TrainingRequest base = options().study(catalog, study.defaults(), tuned).pecf();
    if (options().output().overwrite()) {
      Reproduction.forget(folder);
    }
    return work(
        base,
        catalog,
        folder,
        data -> {
          Map<String, String> defaults = new LinkedHashMap<>(study.defaults());
          PaperData.of(data.dataset().shape())
              .ifPresent(paper -> defaults.putIfAbsent("rank", Integer.toString(paper.rank())));
          String report =
              new Reproduction(options().study(catalog, defaults, tuned), scope, data, folder)
                  .run();
          return () -> {
            console().out().print(report);
            console().out().println();
            console().out().println("results.md, results.json and figures are in " + folder);
          };
        });
  }
}
