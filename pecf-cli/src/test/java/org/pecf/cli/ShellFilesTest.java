package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class ShellFilesTest {
  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    ShellFiles.main(new String[] {folder.toString()});
  }

  private static String run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  private static boolean isThere(String program) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  /** Return what bash offers after some words, the last of them begun. */
  private String offered(String... words) throws Exception {
    String script =
        """
        source completion/pecf-run
        compopt() { :; }  # exists only while bash completes
        COMP_WORDS=(%s)
        COMP_CWORD=%d
        _complete_pecf-run
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(String.join(" ", words), words.length - 1);
    return run(folder, "bash", "--norc", "-c", script);
  }

  @Test
  void bashCompletesCommandsOptionsAndChoices() throws Exception {
    assumeTrue(isThere("bash"), "bash is needed to run the completion script");
    assertTrue(offered("pecf-run", "rec").contains("recommend"));
    assertTrue(offered("pecf-run", "data", "des").contains("describe"));
    assertTrue(offered("pecf-run", "recommend", "--all").contains("--all-users"));
    assertTrue(offered("pecf-run", "--constr").contains("--construction"));
    assertEquals("progressive\n", offered("pecf-run", "--construction", "pro"));
    assertEquals("random\n", offered("pecf-run", "tune", "--em-start", "ran"));
    assertEquals(
        "\n", offered("pecf-run", "--data", "rat"), "names of files come from bash itself");
    assertEquals("\n", offered("pecf-run", "recommend", "model", "des"), "no command follows");
    assertEquals("--user\n--users\n", offered("pecf-run", "recommend", "model", "--user"));
  }

  private static List<ManualPage> pages() {
    List<ManualPage> pages = new ArrayList<>();
    add(pages, ShellFiles.command(""));
    return pages;
  }

  private static void add(List<ManualPage> pages, CommandLine command) {
    pages.add(new ManualPage(command));
    command.getSubcommands().values().forEach(next -> add(pages, next));
  }

  @Test
  void everyCommandHasAPageWithAllItsOptions() throws IOException {
    List<ManualPage> pages = pages();
    assertTrue(pages.size() > 15, () -> Integer.toString(pages.size()));
    for (ManualPage page : pages) {
      String text = Files.readString(folder.resolve("man/man1").resolve(page.file()));
      for (OptionSpec option : page.command().getCommandSpec().options()) {
        assertTrue(
            text.contains("\\fB" + option.longestName().replace("-", "\\-") + "\\fR"),
            page.file() + " lacks " + option.longestName());
      }
    }
  }

  @Test
  void pagesAreCorrectRoff() throws Exception {
    assumeTrue(isThere("groff"), "groff is needed to check the pages for man");
    for (ManualPage page : pages()) {
      String shown =
          run(
              folder,
              "groff",
              "-man",
              "-ww",
              "-Tascii",
              "-P-cbu",
              "-b",
              folder.resolve("man/man1").resolve(page.file()).toString());
      assertTrue(shown.contains("SYNOPSIS"), shown);
      assertFalse(shown.contains("troff:"), shown);
    }
  }
}
