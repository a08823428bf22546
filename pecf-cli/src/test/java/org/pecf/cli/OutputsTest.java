package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Terminal;

/** Where results go is tried before any work, and what does not arrive there is said. */
class OutputsTest extends RecordedApplication {
  @TempDir private Path folder;

  /** The commands that print, each with arguments with which it succeeds. */
  private static final Map<String, String> PRINTING =
      Map.ofEntries(
          Map.entry("", "--help"),
          Map.entry("train", "--rank 2 --rounds 1 --iterations 1"),
          Map.entry(
              "tune",
              "--search nu=1..2 --trials 1 --rank 2 --rounds 1 --iterations 1 --out FOLDER/search"),
          Map.entry("reproduce", "--help"),
          Map.entry("evaluate", "FOLDER/model"),
          Map.entry("compare", "FOLDER/model FOLDER/model"),
          Map.entry("update", "FOLDER/model --data FOLDER/new.csv --out FOLDER/updated"),
          Map.entry("recommend", "FOLDER/model --user 5"),
          Map.entry("similar", "FOLDER/model --item 5"),
          Map.entry("explain", "FOLDER/model --user 5 --top 1"),
          Map.entry("data", "--help"),
          Map.entry("data describe", "--data FOLDER/new.csv"),
          Map.entry("data convert", "FOLDER/new.csv FOLDER/converted.arrow"),
          Map.entry("plugins", "--help"),
          Map.entry("plugins list", ""),
          Map.entry("plugins describe", "wmf"),
          Map.entry("plugins verify", "--help"),
          Map.entry("backends", ""),
          Map.entry("backends selftest", "--help"),
          Map.entry("serve", "--help"));

  private static void addNames(String words, Set<String> names) {
    names.add(words);
    Commands.next(words).forEach(next -> addNames(Commands.join(words, next), names));
  }

  @Test
  void whatDoesNotArriveIsSaidByEveryCommand() throws IOException {
    Set<String> names = new TreeSet<>();
    addNames("", names);
    assertEquals(names, new TreeSet<>(PRINTING.keySet()), "every command is tried");
    Files.writeString(folder.resolve("new.csv"), "user,item\n5,1\n5,2\n6,1\n7,3\n");
    assertEquals(
        0, execute("train", "--rank 2 --rounds 1 --iterations 1", folder.resolve("model")), err());
    PRINTING.forEach(this::assertSaid);
  }

  private void assertSaid(String name, String arguments) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Application application =
        new Application(
            new Console(
                new PrintStream(full, true, StandardCharsets.UTF_8),
                new PrintStream(said, true, StandardCharsets.UTF_8),
                Terminal.none(),
                Terminal.none()));
    String[] words =
        (name + " " + arguments).strip().replace("FOLDER", folder.toString()).split(" +");
    int code = application.execute(words);
    String text = said.toString(StandardCharsets.UTF_8);
    assertEquals(2, code, name + ": " + text);
    assertTrue(
        text.contains("pecf-run: error: the results could not all be written to standard output."),
        name + ": " + text);
  }

  private void assertRefused(String destination, String... arguments) throws IOException {
    assertEquals(2, execute(arguments));
    assertTrue(err().startsWith("pecf-run: error: Cannot write"), err());
    assertTrue(err().contains(destination), err());
    assertEquals(1, err().lines().count(), err());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("file")), files.toList(), "nothing was made");
    }
  }

  @Test
  void destinationsAreTriedFirst() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "user,item\n1,2\n");
    String metrics = folder.resolve("missing").resolve("metrics.json").toString();
    String within = file.resolve("out").toString();
    assertRefused(metrics, "--data", "nothing", "--metrics-json", metrics);
    assertRefused(folder.toString(), "--data", "nothing", "--metrics-json", folder.toString());
    assertRefused(metrics, "evaluate", "nothing", "--metrics-json", metrics);
    assertRefused(within, "--data", "nothing", "--out", within);
    assertRefused(within, "tune", "--search", "nu=1..2", "--out", within);
    assertRefused(within, "reproduce", "--out", within);
    String csv = folder.resolve("missing").resolve("a.csv").toString();
    assertRefused(csv, "data", "convert", "nothing", csv);
  }

  @Test
  void oneFilterBesideAnEnsembleIsItsBestMember() {
    String filters = "wmf:rank=1:iterations=1,wmf:rank=8";
    String options = "--construction bagging --rounds 1 --cutoffs 50 --quiet --filter " + filters;
    assertEquals(0, execute(options.split(" ")), err());
    assertTrue(recall("one filter") > 1.5 * recall("popularity"), out());
  }

  private double recall(String name) {
    String row =
        out().lines().filter(line -> line.startsWith(name + " ")).findFirst().orElseThrow();
    return Double.parseDouble(row.substring(name.length()).strip().split("[ *]+")[0]);
  }

  @Test
  void theNextCommandRepeatsTheOptionsOfThisOne() {
    assertEquals(0, execute("--effort", "none", "--rounds", "0"), err());
    assertTrue(err().contains("next: pecf-run --rounds 0 --effort none --out model"), err());
  }

  @Test
  void settingsAreSearchedByTheMetricThatIsSelected() {
    assertEquals(0, execute("--effort", "quick", "--rounds", "0", "--select", "ndcg@50"), err());
    assertTrue(err().contains("(one filter: ndcg@50 "), err());
    assertEquals(2, execute("--effort", "none", "--select", "ndcg@50"));
    assertTrue(err().contains("Option 'select' has no effect"), err());
  }

  @Test
  void anUpdateSaysWhyNothingWasMeasured() throws IOException {
    Path model = folder.resolve("model");
    assertEquals(0, execute("train", "--rank 2 --rounds 0 --iterations 1", model), err());
    String nothing = "nothing was measured: ";
    Map<String, String> reasons =
        Map.of(
            "99999,1", "no new positive belongs to a known user",
            "5,99999", "the fifth to hold out of 1 new positives of known users came out empty");
    for (Map.Entry<String, String> reason : reasons.entrySet()) {
      Path data = folder.resolve("new.csv");
      Files.writeString(data, "user,item\n" + reason.getKey() + "\n");
      String options = model + " --data " + data + " --overwrite";
      assertEquals(0, execute("update", options, folder.resolve("updated")), err());
      assertTrue((out() + err()).contains(nothing + reason.getValue()), out() + err());
    }
  }

  @Test
  void logsAreNotWrittenThroughLinks() throws Exception {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Files.createSymbolicLink(folder.resolve("model.run.log"), precious);
    assertEquals(2, execute("--data", "nothing", "--out", folder.resolve("model").toString()));
    assertTrue(err().contains("model.run.log is needed for the log"), err());
    assertEquals("precious", Files.readString(precious));
    assertFalse(Files.exists(folder.resolve("model")));
  }
}
