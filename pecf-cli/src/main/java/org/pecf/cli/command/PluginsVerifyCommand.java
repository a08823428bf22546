package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.cli.option.CommonOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.report.Diagnostics;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.engine.plugin.verify.ContractProcess;
import org.pecf.engine.plugin.verify.PluginVerifier;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that checks plugins, by default without running any of their code. */
@CommandLine.Command(
    description = {
      "Check a plugin without running any of its code (unless --contract is given): module, SPI"
          + " version, digest.",
      "Exit code 3 if something will not work."
    })
public final class PluginsVerifyCommand extends Command {
  private static final Duration USUAL_LIMIT = Duration.ofMinutes(10);

  @Parameters(
      arity = "1..*",
      paramLabel = "JAR|FOLDER",
      description = "A plugin's jar, or a folder with its jar and libraries.")
  private List<Path> plugins = new ArrayList<>();

  /** The contracts. */
  private record Options(
      @Option(
              value =
                  "Also run the plugin, in a process of its own, against the contracts of what it"
                      + " offers. Takes up to a minute",
              defaultValue = "false")
          boolean contract,
      @Option(
              value =
                  "End what --contract runs of a plugin after this many seconds, with all that it"
                      + " started, as a problem",
              label = "S",
              unset = "600",
              min = 1)
          Optional<Integer> contractLimit) {}

  private final RecordOptions<Options> options = add(MethodHandles.lookup(), Options.class);

  @Override
  public int run() {
    Duration limit = limit();
    PluginTrust trust = common().trust();
    List<Diagnostic> all = new ArrayList<>();
    String gap = "";
    for (Path plugin : plugins) {
      List<Diagnostic> diagnostics = new ArrayList<>(PluginVerifier.verify(plugin, trust));
      if (options.get().contract()) {
        diagnostics.addAll(new ContractProcess(CommonOptions.home(), limit).run(plugin, trust));
      }
      console().out().print(gap);
      console().out().println(plugin);
      Diagnostics.lines(diagnostics).forEach(console().out()::println);
      all.addAll(diagnostics);
      gap = System.lineSeparator();
    }
    return Diagnostics.exitCode(all);
  }

  private Duration limit() {
    Optional<Integer> limit = options.get().contractLimit();
    if (limit.isPresent() && !options.get().contract()) {
      throw PecfException.badOption("--contract-limit has no meaning without --contract.");
    }
    return limit.map(Duration::ofSeconds).orElse(USUAL_LIMIT);
  }
}
