package org.pecf.cli.command;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pecf.cli.console.Console;
import org.pecf.cli.report.Diagnostics;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.tools.plugin.Installation;
import org.pecf.tools.plugin.Maven;
import org.pecf.tools.plugin.MavenCoordinates;
import org.pecf.tools.plugin.PluginInstaller;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that verifies a plugin and puts it into the plugins folder. */
@CommandLine.Command(
    name = "install",
    abbreviateSynopsis = true,
    description = {
      "Verify a plugin and put it into the plugins folder (or into the one --plugins names).",
      "Coordinates are fetched with your Maven and its settings."
    })
public final class PluginsInstallCommand extends Command {
  @Parameters(
      paramLabel = "FILE|COORDINATES",
      description = "A jar, a folder with jars, a zip of such a folder, or group:artifact:version.")
  private String source;

  @Option(
      names = "--overwrite",
      description = "Replace an installed plugin of the same name or module.")
  private boolean overwrite;

  @Option(
      names = "--repository",
      paramLabel = "URL",
      description = "Look for coordinates in this Maven repository too; repeatable.")
  private List<URI> repositories = new ArrayList<>();

  /** Create the command. */
  public PluginsInstallCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    PluginInstaller installer = new PluginInstaller(common().installFolder(), common().trust());
    Optional<MavenCoordinates> coordinates =
        isFile() ? Optional.empty() : MavenCoordinates.parse(source);
    Installation installed =
        coordinates.isPresent()
            ? installer.install(
                coordinates.get(), Maven.find(System.getenv()), repositories, overwrite)
            : installer.install(Path.of(source), overwrite);
    List<Diagnostic> notes =
        installed.diagnostics().stream()
            .filter(diagnostic -> diagnostic.level() != Diagnostic.Level.OK)
            .toList();
    Diagnostics.lines(notes).forEach(console().err()::println);
    console().out().println("installed " + installed.location() + provided(installed));
    return 0;
  }

  /** Ask the file system first: on some, file names may look like coordinates. */
  private boolean isFile() {
    try {
      return Files.exists(Path.of(source));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static String provided(Installation installed) {
    return installed.provided().isEmpty()
        ? ""
        : installed.provided().stream()
            .map(provider -> provider.kind() + " " + provider.id())
            .collect(Collectors.joining(", ", ": ", ""));
  }
}
