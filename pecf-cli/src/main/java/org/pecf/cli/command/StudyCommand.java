package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunListener;
import org.pecf.cli.option.OutputOptions;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.file.OutputFolder;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.PreparedData;

/** A command that does many trainings on the same data and keeps finished ones in a folder. */
abstract class StudyCommand extends Command {
  private final TrainingOptions options = add(TrainingOptions.options(Set.of()));

  /** Return the options of the trainings. */
  TrainingOptions options() {
    return options;
  }

  /** Return the folder that keeps finished trainings, which can be written to. */
  Path folder() {
    OutputOptions output = options.output().get();
    if (output.again().isPresent()) {
      throw PecfException.badOption(
          "--refit and --final have no effect here: no model is stored. Train with the settings"
              + " found.");
    }
    if (output.metricsJson().isPresent()) {
      throw bad("--metrics-json has no meaning here; the results are in the output folder.");
    }
    Path folder =
        output.out().orElseThrow(() -> bad("please name a folder for the results with --out DIR."));
    OutputFolder.at(folder).checkWithin();
    return folder;
  }

  /**
   * Load data once and work on it.
   *
   * @param base the request that names the data and the resources
   * @param listener is notified of all events, beside the display
   * @param work does the trainings and returns the printer of their outcome
   * @return the exit code
   */
  int work(
      TrainingRequest base,
      PluginCatalog catalog,
      Path folder,
      RunListener listener,
      Function<PreparedData, Runnable> work) {
    return work(
        "what is finished is in " + folder + ": the same command goes on",
        surroundings -> {
          RunListener shown = surroundings.studyListener();
          Workspace workspace =
              new Workspace(
                  catalog,
                  base.compute(),
                  event -> {
                    shown.on(event);
                    listener.on(event);
                  },
                  surroundings.interruption());
          try (PreparedData data = PreparedData.load(base.data(), workspace)) {
            return work.apply(data);
          }
        });
  }

  /**
   * Work while progress is shown.
   *
   * @param interrupted the message for people who interrupt it
   * @param work does the trainings and returns the printer of their outcome
   * @return the exit code
   */
  int work(String interrupted, Function<RunEnvironment, Runnable> work) {
    try (RunEnvironment surroundings = environment(Optional.empty())) {
      try {
        Runnable print = work.apply(surroundings);
        surroundings.endDisplay();
        print.run();
        return 0;
      } catch (PecfException e) {
        surroundings.endDisplay();
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
        console().error("interrupted; " + interrupted);
        return surroundings.interruption().exitCode();
      }
    }
  }

  static PecfException bad(String message) {
    return PecfException.badOption("%s", message);
  }
}
