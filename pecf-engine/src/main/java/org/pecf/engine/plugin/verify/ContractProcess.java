package org.pecf.engine.plugin.verify;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.PluginTrust;

/**
 * A process that runs a plugin against its contracts. The plugin may bring it down, and it is ended
 * together with every process that it started.
 *
 * @param home the folder of the distribution
 * @param limit the longest time it may take
 */
public record ContractProcess(Optional<Path> home, Duration limit) {
  private static final String REMEDY =
      "Run the plugin's own contract tests (pecf-testkit) to see the whole report";

  /**
   * Run the contracts of all providers of a plugin, with default options, unless only trusted
   * plugins may run and it is not one of them.
   *
   * @param plugin its jar, or the folder with its jar and libraries
   */
  public List<Diagnostic> run(Path plugin, PluginTrust trust) {
    List<Path> jars = PluginInspection.of(plugin).jars();
    if (jars.isEmpty()) {
      // Its problems have been found already.
      return List.of();
    }
    if (!trust.strict()) {
      return run(plugin, jars);
    }
    String list = trust.list().map(Path::toString).orElse("the list of trusted plugins");
    try {
      Optional<List<Path>> copies = trust.copies(jars);
      return copies.isPresent()
          ? run(plugin, copies.get())
          : notRun(
              "only trusted plugins are, and it is not in " + list,
              "If you trust it, add its digest there");
    } catch (IOException e) {
      return notRun(
          "whether it is trusted cannot be determined (" + e + ")", "Download or build it again");
    }
  }

  private static List<Diagnostic> notRun(String reason, String remedy) {
    return List.of(Diagnostic.error("contract", "the plugin was not run: " + reason, remedy));
  }

  /** Run the contracts of all providers in some jars, and no others. Not modified. */
  List<Diagnostic> run(Path plugin, List<Path> jars) {
    List<String> arguments = new ArrayList<>(List.of("plugin"));
    jars.forEach(jar -> arguments.add(jar.toString()));
    return run(plugin.toString(), jars, arguments);
  }

  /**
   * Run the contract of a backend.
   *
   * @param id the id of the backend
   * @param jars the jars of its plugin; none if it belongs to the program. Not modified.
   * @param options the texts of its options. Not modified.
   */
  public List<Diagnostic> backend(String id, List<Path> jars, Map<String, String> options) {
    List<String> arguments = new ArrayList<>(List.of("backend", id));
    options.forEach((key, value) -> arguments.add(key + "=" + value));
    return run("backend " + id, jars, arguments);
  }

  private List<Diagnostic> run(String subject, List<Path> jars, List<String> arguments) {
    Path tools = home.map(folder -> folder.resolve("tools")).orElse(Path.of("tools"));
    if (!Files.isDirectory(tools)) {
      throw PecfException.unavailable(
          "Contracts are run by the libraries in %s, which is not there. Start pecf-run from a"
              + " distribution.",
          tools);
    }
    try {
      Path report = Files.createTempFile("pecf-contract", ".txt");
      try {
        return run(command(jars, tools, arguments), report);
      } finally {
        Files.deleteIfExists(report);
      }
    } catch (IOException e) {
      throw PecfException.resources("The contracts of %s could not be run: %s.", subject, e)
          .causedBy(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PecfException.cancelled().causedBy(e);
    }
  }

  private static List<String> command(List<Path> jars, Path tools, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    // Unconfigured, it would print Arrow's word on a leak, as if the plugin did.
    command.add("-Dlog4j2.level=OFF");
    List<String> classPath = new ArrayList<>();
    jars.forEach(jar -> classPath.add(jar.toString()));
    classPath.add(tools.resolveSibling("lib").resolve("*").toString());
    classPath.add(tools.resolve("*").toString());
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.add("org.pecf.testkit.contract.ContractMain");
    command.add(Long.toString(ProcessHandle.current().pid()));
    command.addAll(arguments);
    return command;
  }

  /** Run the process to its end or to the limit; it watches for the end of this one itself. */
  private List<Diagnostic> run(List<String> command, Path file)
      throws IOException, InterruptedException {
    // A process that outlives this one could hold a pipe open, but not a file.
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(file.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    boolean ended;
    try {
      ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      end(process);
    }
    Report report = new Report();
    String said = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    said.lines().forEach(report::read);
    return ended ? report.ended(process.exitValue()) : report.cut(limit);
  }

  /** End a process and all that it started. */
  private static void end(Process process) {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  /** The lines of the process, put into diagnostics. */
  private static final class Report {
    private final List<Diagnostic> diagnostics = new ArrayList<>();
    private String last = "";
    private boolean printed;
    private boolean complete;

    void read(String line) {
      String[] columns = line.split("\t", 3);
      String level = columns.length == 3 ? columns[0] : "";
      switch (level) {
        case "rule" -> last = columns[1] + ": " + columns[2];
        case "ok" -> diagnostics.add(Diagnostic.ok("contract", columns[1] + ": " + columns[2]));
        case "error" -> add(columns[1] + ": " + columns[2], REMEDY);
        case "end" -> complete = true;
        default -> {
          if (!printed) {
            add("it prints to standard output, where results go: '" + line + "'", REMEDY);
          }
          printed = true;
        }
      }
    }

    private void add(String message, String remedy) {
      diagnostics.add(Diagnostic.error("contract", message, remedy));
    }

    private String place() {
      return last.isEmpty() ? "before its first rule" : "in " + last;
    }

    List<Diagnostic> ended(int code) {
      if (!complete) {
        add("the process ended early, with exit code " + code + ", " + place(), REMEDY);
      } else if (diagnostics.isEmpty()) {
        diagnostics.add(
            Diagnostic.ok("contract", "nothing it offers has a contract that can be run here"));
      }
      return diagnostics;
    }

    List<Diagnostic> cut(Duration limit) {
      add(
          complete
              ? "all its rules were run, but its process did not end within %d seconds"
                  .formatted(limit.toSeconds())
              : "it was not done within %d seconds, %s".formatted(limit.toSeconds(), place()),
          "Allow more time if it is only slow");
      return diagnostics;
    }
  }
}
