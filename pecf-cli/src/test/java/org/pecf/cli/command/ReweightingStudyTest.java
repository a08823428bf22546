package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.cli.RecordedApplication;

/** Look at what re-weighting does. */
class ReweightingStudyTest extends RecordedApplication {
  private static final String COMMON =
      "--data builtin:demo --rank 6 --iterations 4 --lambda 2 --confidence 1:0.1 --cutoffs 20"
          + " --rounds 2 --threads 1 ";
  private static final String PECF = "--nu 7 --sigma 0.4 ";

  @TempDir private Path folder;

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  /** Return the heads, then the rows of the table with a title. */
  private static List<List<String>> table(JsonNode tables, String title) {
    for (JsonNode table : tables) {
      if (table.get("title").asText().startsWith(title)) {
        List<List<String>> lines = new ArrayList<>(List.of(texts(table.get("heads"))));
        table.get("rows").forEach(row -> lines.add(texts(row)));
        return lines;
      }
    }
    throw new AssertionError("no table " + title + " in " + tables);
  }

  private static List<String> texts(JsonNode values) {
    return StreamSupport.stream(values.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static List<List<String>> rows(JsonNode tables, String title) {
    List<List<String>> lines = table(tables, title);
    return lines.subList(1, lines.size());
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(" %", ""));
  }

  private String trained(String construction, String options) throws IOException {
    Path model = folder.resolve(construction);
    String all = COMMON + options + "--construction " + construction + " ";
    assertEquals(0, execute("train", all, model), this::err);
    double recall = json(model.resolve("metrics.json")).at("/metrics/test/recall@20").asDouble();
    return String.format(Locale.ROOT, "%.4f", recall);
  }

  @Test
  void figuresAreThoseOfTrainings() throws IOException {
    Path study = folder.resolve("study");
    String asked = "--only reweighting --quick " + COMMON + PECF;
    assertEquals(0, execute("reproduce", asked, study), this::err);
    String text = Files.readString(study.resolve("reweighting.md"));
    assertTrue(out().startsWith(text), this::out);
    JsonNode tables = json(study.resolve("reweighting.json"));
    List<String> bagging = rows(tables, "From bagging to extremes").get(0);
    assertEquals("bagging: nu = 0", bagging.get(0));
    assertEquals(trained("bagging", ""), bagging.get(5));
    List<List<String>> rules = rows(tables, "Rules of weighting");
    assertEquals(trained("progressive", PECF), rules.get(0).get(5));
  }

  @Test
  void finishedTrainingsAreKept() throws IOException {
    Path study = folder.resolve("study");
    String asked = "--only reweighting --quick " + COMMON + PECF;
    assertEquals(0, execute("reproduce", asked, study), this::err);
    String whole = Files.readString(study.resolve("reweighting.json"));
    Path jobs = study.resolve("jobs");
    long all;
    try (Stream<Path> files = Files.list(jobs)) {
      all = files.count();
    }
    // An interruption after bagging's training began: PECF is compared with it, and trained again.
    Files.delete(jobs.resolve("bagging-nu-0-seed-1.json"));
    Files.delete(jobs.resolve("positives-plain-zeros-by-error-seed-1.json"));
    assertEquals(0, execute("reproduce", asked, study), this::err);
    assertEquals(
        all - 3, err().lines().filter(line -> line.endsWith("(done before)")).count(), err());
    assertEquals(whole, Files.readString(study.resolve("reweighting.json")));
    String other = asked.replace("--lambda 2", "--lambda 7");
    assertEquals(2, execute("reproduce", other, study));
    assertTrue(err().contains("is of another study: its request is"), this::err);
    assertEquals(0, execute("reproduce", other + "--overwrite ", study), this::err);
  }

  @Test
  void hardCellsGetWeightAndHardZerosHoldMissedPositives() throws IOException {
    Path study = folder.resolve("study");
    assertEquals(
        0, execute("reproduce", "--only reweighting --quick " + COMMON + PECF, study), this::err);
    JsonNode tables = json(study.resolve("reweighting.json"));
    List<List<String>> rounds = rows(tables, "The factor of weights");
    assertEquals(List.of("1.00, 1.00, 1.00", "1.00, 1.00, 1.00"), rounds.get(0).subList(1, 3));
    List<List<String>> bands = rows(tables, "Cells by the prediction");
    for (int column : new int[] {3, 4}) {
      double sum = bands.stream().mapToDouble(row -> number(row.get(column))).sum();
      assertEquals(100, sum, 0.05, "shares of all weight");
    }
    // Positives from the worst to the best predicted, then zeros from the lowest score on.
    for (int k = 0; k < 3; k++) {
      assertTrue(number(bands.get(k).get(2)) > number(bands.get(k + 1).get(2)), "" + bands);
      assertTrue(number(bands.get(k + 4).get(2)) < number(bands.get(k + 5).get(2)), "" + bands);
    }
    assertTrue(number(bands.get(4).get(5)) < 3 && number(bands.get(6).get(5)) > 10, "" + bands);
    List<List<String>> strengths = rows(tables, "From bagging to extremes");
    assertTrue(
        number(strengths.get(0).get(2)) > number(strengths.get(1).get(2)),
        "re-weighted members err less alike");
    assertEquals(
        List.of("one filter", "bagging", "PECF"),
        table(tables, "Recall@20 by activity").get(0).subList(1, 4));
  }
}
