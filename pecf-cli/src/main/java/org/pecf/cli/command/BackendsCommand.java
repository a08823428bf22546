package org.pecf.cli.command;

import org.pecf.api.compute.Availability;
import org.pecf.cli.console.TextTable;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import picocli.CommandLine;

/** The command that lists the backends, whether they work here, and why not. */
@CommandLine.Command(description = "List what can compute here, and why the others cannot.")
public final class BackendsCommand extends Command {
  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    TextTable table = new TextTable().left("id", "available", "because");
    for (String id : catalog.ids(ProviderKind.BACKEND)) {
      Availability availability = catalog.backend(ProviderChoice.of(id)).probe();
      table.row(id, availability.available() ? "yes" : "no", availability.explanation());
    }
    console().print(table);
    return 0;
  }
}
