package org.pecf.cli.command;

import org.pecf.cli.console.Console;
import org.pecf.tools.plugin.PluginInstaller;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that removes a plugin from the plugins folder. */
@CommandLine.Command(
    name = "remove",
    abbreviateSynopsis = true,
    description = "Delete a plugin from the plugins folder (or from the one --plugins names).")
public final class PluginsRemoveCommand extends Command {
  @Parameters(
      paramLabel = "ID|NAME",
      description = "The name of its file or folder, its module, or an id it offers.")
  private String name;

  /** Create the command. */
  public PluginsRemoveCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    PluginInstaller installer = new PluginInstaller(common().installFolder(), common().trust());
    console().out().println("removed " + installer.remove(name));
    return 0;
  }
}
