package org.pecf.cli.command;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.tool.Finding;

/**
 * Hold a plugin to its contracts in a process of its own, which a plugin may bring down.
 *
 * @param home the folder of the distribution
 */
record ContractProcess(Optional<Path> home) {
  private static final String REMEDY =
      "Run the plugin's own contract tests (pecf-testkit) to see the whole report";

  /**
   * Run the contracts of a plugin.
   *
   * @param jars its jars, and no others. Not modified.
   */
  List<Finding> run(Path plugin, List<Path> jars) {
    Path tools = home.map(folder -> folder.resolve("tools")).orElse(Path.of("tools"));
    if (!Files.isDirectory(tools)) {
      throw new PecfException(
          ErrorCode.UNAVAILABLE,
          "contracts are run by the libraries in "
              + tools
              + ", which is not there. Start pecf-run from a distribution.");
    }
    try {
      return run(jars, tools);
    } catch (IOException e) {
      throw new PecfException(
          ErrorCode.RESOURCES, "the contracts of " + plugin + " could not be run: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PecfException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private static List<Finding> run(List<Path> jars, Path tools)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    List<String> classPath = new ArrayList<>();
    jars.forEach(jar -> classPath.add(jar.toString()));
    classPath.add(tools.resolveSibling("lib").resolve("*").toString());
    classPath.add(tools.resolve("*").toString());
    command.add("-cp");
    command.add(String.join(File.pathSeparator, classPath));
    command.add("org.pecf.testkit.ContractMain");
    jars.forEach(jar -> command.add(jar.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<Finding> findings = new ArrayList<>();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : said.lines().toList()) {
      String[] columns = line.split("\t", 3);
      if (columns.length == 3 && columns[0].equals("ok")) {
        findings.add(Finding.ok("contract", columns[1] + ": " + columns[2]));
      } else if (columns.length == 3 && columns[0].equals("problem")) {
        findings.add(Finding.problem("contract", columns[1] + ": " + columns[2], REMEDY));
      }
    }
    int code = process.waitFor();
    if (findings.isEmpty()) {
      findings.add(
          code == 0
              ? Finding.ok("contract", "nothing it offers has a contract that can be run here")
              : Finding.problem("contract", "the process ended with exit code " + code, REMEDY));
    }
    return findings;
  }
}
