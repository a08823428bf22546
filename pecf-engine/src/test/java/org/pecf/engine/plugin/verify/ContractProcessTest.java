package org.pecf.engine.plugin.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.plugin.Diagnostic;

/** Processes that end in every way, in place of the one that runs contracts. */
class ContractProcessTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Path PLUGIN = Path.of("acme.jar");

  @TempDir private Path home;

  /** Make a distribution whose contracts are run by the given statements. */
  private ContractProcess process(Duration limit, String... statements) throws IOException {
    Path source =
        Files.writeString(
            home.resolve("ContractMain.java"),
            """
            package org.pecf.testkit.contract;

            public class ContractMain {
              static void line(String text) {
                System.out.println(text.replace('|', '\\t'));
              }

              public static void main(String[] jars) throws Exception {
                %s
              }
            }
            """
                .formatted(String.join("\n", statements)));
    Path classes = home.resolve("classes");
    assertEquals(
        0,
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, "-d", classes.toString(), source.toString()));
    Path tools = Files.createDirectories(home.resolve("tools"));
    try (OutputStream file = Files.newOutputStream(tools.resolve("testkit.jar"));
        JarOutputStream jar = new JarOutputStream(file)) {
      String name = "org/pecf/testkit/contract/ContractMain.class";
      jar.putNextEntry(new JarEntry(name));
      Files.copy(classes.resolve(name), jar);
    }
    return new ContractProcess(Optional.of(home), limit);
  }

  private static List<String> problems(List<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .filter(diagnostic -> diagnostic.level() == Diagnostic.Level.ERROR)
        .map(Diagnostic::message)
        .toList();
  }

  @Test
  void contractsThatAreKept() throws IOException {
    List<Diagnostic> diagnostics =
        process(LONG, "line(\"rule|Acme|a()\");", "line(\"ok|Acme|1 rule\");", "line(\"end||\");")
            .run(PLUGIN, List.of());
    assertEquals(List.of(Diagnostic.ok("contract", "Acme: 1 rule")), diagnostics);
  }

  @Test
  void anEarlyExitIsAProblemWhateverItsCode() throws IOException {
    assertEquals(
        List.of("the process ended early, with exit code 0, in Acme: b()"),
        problems(
            process(
                    LONG,
                    "line(\"ok|Other|2 rules\");",
                    "line(\"rule|Acme|b()\");",
                    "System.exit(0);")
                .run(PLUGIN, List.of())));
    assertEquals(
        List.of("the process ended early, with exit code 0, before its first rule"),
        problems(process(LONG, "System.exit(0);").run(PLUGIN, List.of())));
  }

  @Test
  void whatIsPrintedInBetweenIsAProblem() throws IOException {
    assertEquals(
        List.of("it prints to standard output, where results go: 'made by acme'"),
        problems(
            process(
                    LONG,
                    "line(\"made by acme\");",
                    "line(\"all rights reserved\");",
                    "line(\"ok|Acme|1 rule\");",
                    "line(\"end||\");")
                .run(PLUGIN, List.of())));
  }

  /** Statements that start a process of their own, say which, and never end. */
  private String[] endless() {
    return new String[] {
      "line(\"rule|Acme|a()\");",
      "Process child = new ProcessBuilder(ProcessHandle.current().info().command().get(), \"-cp\","
          + " System.getProperty(\"java.class.path\"),"
          + " \"org.pecf.testkit.contract.ContractMain\").start();",
      "java.nio.file.Path said = java.nio.file.Path.of(\"" + pids() + "\");",
      "java.nio.file.Files.writeString(said, ProcessHandle.current().pid() + \"\\n\","
          + " java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);",
      "if (java.nio.file.Files.readAllLines(said).size() > 1) { child.destroyForcibly(); }",
      "while (true) { Thread.sleep(1000); }"
    };
  }

  private Path pids() {
    return home.resolve("pids");
  }

  private void assertAllGone() throws Exception {
    for (String pid : Files.readAllLines(pids())) {
      Optional<ProcessHandle> left = ProcessHandle.of(Long.parseLong(pid));
      if (left.isPresent()) {
        left.get().onExit().get();
        assertFalse(left.get().isAlive());
      }
    }
  }

  @Test
  void whatTakesTooLongIsEndedWithAllItStarted() throws Exception {
    List<Diagnostic> diagnostics = process(Duration.ofSeconds(8), endless()).run(PLUGIN, List.of());
    assertEquals(List.of("it was not done within 8 seconds, in Acme: a()"), problems(diagnostics));
    assertTrue(diagnostics.get(0).remedy().contains("Allow more time"), diagnostics::toString);
    assertAllGone();
  }

  @Test
  void anInterruptionEndsIt() throws Exception {
    ContractProcess process = process(LONG, endless());
    Thread caller = Thread.currentThread();
    Thread interrupting =
        new Thread(
            () -> {
              try {
                while (!Files.exists(pids()) || Files.readAllLines(pids()).size() < 2) {
                  Thread.sleep(20);
                }
              } catch (IOException | InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              caller.interrupt();
            });
    interrupting.start();
    PecfException cancelled =
        assertThrows(PecfException.class, () -> process.run(PLUGIN, List.of()));
    assertEquals(ErrorCode.CANCELLED, cancelled.code());
    assertTrue(Thread.interrupted(), "the interruption stays to be seen");
    assertAllGone();
  }
}
