package org.pecf.cli.command;

import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.api.plugin.Provider;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.cli.console.TextTable;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.ProviderKind;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that describes the providers of an id. */
@CommandLine.Command(description = "Describe what a plugin offers under an id, with its options.")
public final class PluginsDescribeCommand extends Command {
  @Parameters(paramLabel = "ID", description = "An id that 'pecf-run plugins list' shows.")
  private String id;

  @Override
  public int run() {
    PluginCatalog catalog = catalog();
    List<ProviderKind<?>> kinds =
        ProviderKind.all().stream().filter(kind -> catalog.ids(kind).contains(id)).toList();
    if (kinds.isEmpty()) {
      throw unknown(catalog);
    }
    String gap = "";
    for (ProviderKind<?> kind : kinds) {
      console().out().print(gap);
      describe(catalog, kind);
      gap = System.lineSeparator();
    }
    return 0;
  }

  private PecfException unknown(PluginCatalog catalog) {
    List<String> known =
        ProviderKind.all().stream()
            .flatMap(kind -> catalog.ids(kind).stream())
            .distinct()
            .sorted()
            .toList();
    return PecfException.unavailable(
        "No plugin offers '%s'.%s Known are: %s",
        id, Choices.suggestion(id, known), String.join(", ", known));
  }

  private void describe(PluginCatalog catalog, ProviderKind<?> kind) {
    Provider<?, ?> provider = catalog.find(kind, id);
    ProviderDescription description = provider.describe();
    PluginReport origin = catalog.origin(kind, id);
    console().out().println(kind.word() + " " + id + ": " + description.summary());
    console()
        .out()
        .println(
            "from "
                + origin.location()
                + origin.version().map(version -> ", version " + version).orElse("")
                + ", SPI version "
                + description.spiVersion());
    List<OptionDescription> options = provider.options().descriptions();
    if (options.isEmpty()) {
      console().out().println("It takes no options.");
      return;
    }
    TextTable table = new TextTable().left("option", "type", "default", "allowed", "meaning");
    for (OptionDescription option : options) {
      table.row(
          option.key(),
          option.type(),
          option.defaultValue().isEmpty() ? "-" : option.defaultValue(),
          allowed(option),
          option.description());
    }
    console().out().println();
    console().print(table);
  }

  private static String allowed(OptionDescription option) {
    if (!option.choices().isEmpty()) {
      return String.join(", ", option.choices());
    }
    boolean above = option.min() != Double.NEGATIVE_INFINITY;
    boolean below = option.max() != Double.POSITIVE_INFINITY;
    if (above && below) {
      return number(option.min()) + " to " + number(option.max());
    }
    return above
        ? "at least " + number(option.min())
        : below ? "at most " + number(option.max()) : "any";
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
