package org.pecf.study.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;
import org.pecf.study.page.Table;

class RunComparisonTest {
  @TempDir private Path folder;

  private Path run(String name, String lambda, double recall, double... users) throws IOException {
    Path run = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        run.resolve("metrics.json"),
        """
        {"request": {"seed": 1, "ensemble": {"filters": [{"id": "wmf", "lambda": "%s"}]}},
         "rounds": [{"kept": true, "validation": {"recall@50": 0.1, "wmse": 2}}],
         "metrics": {"validation": {"recall@50": 0.3}, "test": {"recall@50": %s}}}
        """
            .formatted(lambda, recall));
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(run.resolve(UserMetrics.NAME))),
            StandardCharsets.UTF_8)) {
      out.write("user,recall@50\n");
      for (int k = 0; k < users.length; k++) {
        out.write("\"u," + k + "\"," + users[k] + "\n");
      }
    }
    return run;
  }

  private static List<List<String>> texts(Table table) {
    return table.rows().stream().map(row -> row.stream().map(Table.Cell::text).toList()).toList();
  }

  @Test
  void runsAreComparedByPartUserAndOption() throws IOException {
    Path one = run("one", "4", 0.5, 0, 1, 0.5, 0.5);
    // The last user is measured by one of the runs only.
    Path two = run("two", "9", 0.25, 0.5, 1, 1);

    RunComparison comparison = RunComparison.read(List.of(one, two));

    // Means .5 and 5/6; t(.975; 3) = 3.1824 and s = .40825 give ± .6496.
    assertEquals(
        List.of(List.of("recall@50", "0.5000 ± 0.6496", "0.2500 ± 0.7171")),
        texts(comparison.metrics()));
    assertTrue(comparison.metrics().rows().get(0).get(1).marked());
    assertEquals(
        List.of(List.of("ensemble.filters.lambda", "4", "9")), texts(comparison.differences()));
    // Differences .5, 0, .5: mean 1/3, t = 2 with 2 degrees of freedom, p = .1835.
    assertEquals(
        List.of(List.of("two − one", "recall@50", "+0.3333", "± 0.7171", "3", "0.1835", "no")),
        texts(comparison.tests()));
    String html = comparison.page("1").html();
    assertTrue(
        html.contains("round by round") && html.contains("ensemble.<wbr>filters.<wbr>lambda"),
        html);
  }

  @Test
  void figuresThatDoNotCompareHaveNoWinner() throws IOException {
    Path one = weighted("one", "1:0.01", "positives:3:1:1");
    Table weights =
        RunComparison.read(List.of(one, weighted("two", "1:0.1", "positives:3:1:1"))).metrics();
    assertEquals(List.of(true, false), marks(weights));
    assertTrue(weights.caption().contains("wmse does not compare"), weights.caption());
    Table splits =
        RunComparison.read(List.of(one, weighted("three", "1:0.01", "leave-one-out"))).metrics();
    assertEquals(List.of(false, false), marks(splits));
    assertTrue(splits.caption().contains("no figure compares"), splits.caption());
  }

  private Path weighted(String name, String confidence, String split) throws IOException {
    Path run = Files.createDirectory(folder.resolve(name));
    Files.writeString(
        run.resolve("metrics.json"),
        """
        {"request": {"split": "%s", "ensemble": {"confidence": "%s"}},
         "metrics": {"test": {"recall@50": 0.5, "wmse": 0.1}}}
        """
            .formatted(split, confidence));
    return run;
  }

  /** Return for each metric whether a best figure is marked. */
  private static List<Boolean> marks(Table table) {
    return table.rows().stream().map(row -> row.stream().anyMatch(Table.Cell::marked)).toList();
  }

  @Test
  void foldersWithoutResultsAreRefusedInOneSentence() throws IOException {
    Path one = run("one", "4", 0.5, 1, 1);
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThrows(PecfException.class, () -> RunComparison.read(List.of(one)));
    PecfException e =
        assertThrows(PecfException.class, () -> RunComparison.read(List.of(one, empty)));
    assertTrue(e.getMessage().contains("holds no metrics.json"), e.getMessage());
    Files.writeString(empty.resolve("metrics.json"), "{\"metrics\": [");
    assertThrows(PecfException.class, () -> RunComparison.read(List.of(one, empty)));
    Files.writeString(empty.resolve("metrics.json"), "{}");
    Files.writeString(empty.resolve(UserMetrics.NAME), "no gzip");
    assertThrows(PecfException.class, () -> RunComparison.read(List.of(one, empty)));
  }
}
