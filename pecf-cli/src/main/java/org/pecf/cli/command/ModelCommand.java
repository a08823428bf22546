package org.pecf.cli.command;

import java.nio.file.Path;
import org.pecf.engine.model.ModelDescription;
import picocli.CommandLine.Parameters;

/** A command about a stored model. */
abstract class ModelCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  /** Return the folder of the model. */
  final Path model() {
    return model;
  }

  /** Warn of a model whose training was interrupted. */
  final void warnIfIncomplete(ModelDescription description) {
    if (!description.complete()) {
      console()
          .warning(
              "%s is incomplete: its training was interrupted, and it holds the members that were"
                      .formatted(model)
                  + " finished by then. The command that trained it completes it with --resume.");
    }
  }
}
