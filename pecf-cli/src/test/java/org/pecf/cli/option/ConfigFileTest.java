package org.pecf.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class ConfigFileTest {
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("run.yaml"), text);
  }

  private String problem(String text) throws IOException {
    Path file = file(text);
    PecfException problem = assertThrows(PecfException.class, () -> ConfigFile.read(file));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    return problem.getMessage().replace(file.toString(), "run.yaml");
  }

  @Test
  void valuesListsAndSettingsAreRead() throws IOException {
    ConfigFile config =
        ConfigFile.read(
            file(
                """
                # a comment
                data: ratings.csv
                rank: 50
                overwrite: true
                cutoffs: [10, 20]
                positive: '>=4'
                set:
                  wmf.tolerance: 1e-3
                  cpu:
                    library: ejml
                """));
    assertEquals(Optional.of("ratings.csv"), config.value("data"));
    assertEquals(Optional.of("50"), config.value("rank"));
    assertEquals(Optional.of("true"), config.value("overwrite"));
    assertEquals(Optional.of("10,20"), config.value("cutoffs"));
    assertEquals(Optional.of(">=4"), config.value("positive"));
    assertEquals(Optional.empty(), config.value("rounds"));
    assertEquals(Map.of("wmf.tolerance", "1e-3", "cpu.library", "ejml"), config.settings());
    assertTrue(config.place("rank").orElseThrow().endsWith("run.yaml:3"));
  }

  @Test
  void emptyFileGivesNothing() throws IOException {
    assertEquals(Map.of(), ConfigFile.read(file("")).settings());
  }

  @Test
  void unknownKeyIsNamedWithItsLineAndTheNearest() throws IOException {
    ConfigFile config = ConfigFile.read(file("data: x\n\nrnk: 3\n"));
    PecfException problem =
        assertThrows(PecfException.class, () -> config.check(List.of("data", "rank", "rounds")));
    assertEquals(
        folder.resolve("run.yaml") + ":3: There is no option 'rnk'. Did you mean 'rank'?",
        problem.getMessage());
  }

  @Test
  void mistakesAreNamedWithTheirLine() throws IOException {
    assertEquals(
        "run.yaml:2: 'rank' stands in line 1 already. Remove one.", problem("rank: 1\nrank: 2\n"));
    assertEquals("run.yaml:1: 'rank' needs a value.", problem("rank:\n"));
    assertEquals("run.yaml:1: 'rank' needs a plain value.", problem("rank: {a: 1}\n"));
    assertEquals(
        "run.yaml:1: This is not a list of options. Write one 'option: value' per line.",
        problem("- a\n- b\n"));
    assertEquals(
        "run.yaml:2: This is not a list of settings. Under 'set' write one 'id.option: value' per"
            + " line.",
        problem("a: 1\nset: 3\n"));
    assertTrue(
        problem("a: 1\nb: [1, 2\n").matches("run.yaml:\\d+: This is not YAML \\(.*"),
        "a syntax error");
  }

  @Test
  void secondDocumentIsRefusedWithItsLine() throws IOException {
    String expected =
        "run.yaml:3: A second YAML document begins here or above. Give all options in the first,"
            + " without '---' between them.";
    assertEquals(expected, problem("rank: 1\n---\nrank: 2\n"));
    assertEquals(expected, problem("rank: 1\n---\n- 2\n"));
    assertEquals(Optional.of("1"), ConfigFile.read(file("---\nrank: 1\n...\n")).value("rank"));
  }

  @Test
  void aliasIsNoValue() throws IOException {
    assertEquals(
        "run.yaml:2: 'rounds' needs a plain value.", problem("rank: &number 1\nrounds: *number\n"));
  }

  @Test
  void sizeIsBounded() throws IOException {
    assertEquals(
        "run.yaml is larger than the 256 KiB that a configuration file may have. Give the options"
            + " of one run only.",
        problem("data: " + "a".repeat(256 << 10) + "\n"));
  }

  @Test
  void textThatIsNotUnicodeIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("run.yaml"), new byte[] {'a', ':', ' ', (byte) 0xff});
    PecfException problem = assertThrows(PecfException.class, () -> ConfigFile.read(file));
    assertEquals(file + " is not UTF-8 text. Convert it.", problem.getMessage());
  }

  @Test
  void missingFileIsNamed() {
    Path missing = folder.resolve("none.yaml");
    PecfException problem = assertThrows(PecfException.class, () -> ConfigFile.read(missing));
    assertEquals(
        "There is no configuration file " + missing + ". Check its name.", problem.getMessage());
  }
}
