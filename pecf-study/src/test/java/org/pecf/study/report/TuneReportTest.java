package org.pecf.study.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.study.StudyEvent.StudyStarted;
import org.pecf.study.StudyEvent.TrialFinished;
import org.pecf.study.Trial;

class TuneReportTest {
  @TempDir private Path folder;
  private TuneReport report;

  @BeforeEach
  void begin() {
    report = new TuneReport(folder, MetricKey.parse("wmse"), Set.of("lambda"), "1");
  }

  private String page() throws IOException {
    return Files.readString(folder.resolve(TuneReport.NAME));
  }

  private void finish(int number, int budget, String lambda, OptionalDouble score, boolean found) {
    Map<String, String> setting =
        new TreeMap<>(Map.of("lambda", lambda, "confidence", "1:0." + number));
    Trial trial =
        new Trial(
            number,
            budget,
            setting,
            score,
            Map.of(),
            score.isPresent() ? Optional.empty() : Optional.of("it diverged"),
            Optional.empty(),
            90);
    report.on(new TrialFinished(trial, number, 4, found, "wmse", "rounds"));
  }

  /** Values that were drawn evenly on a logarithmic scale stand evenly, however near they are. */
  @Test
  void aSearchOnALogarithmicScaleHasALogarithmicAxis() throws IOException {
    report.on(new StudyStarted(2));
    finish(1, 1, "0.02", OptionalDouble.of(3), false);
    finish(2, 1, "0.125", OptionalDouble.of(1), false);
    assertTrue(
        page()
            .replaceAll("\\s", "")
            .contains("\"xName\":\"lambda\",\"yName\":\"wmse\",\"logarithmicX\":true"),
        page());
    assertTrue(page().contains(">0.020</td>") && page().contains(">0.125</td>"), page());
  }

  @Test
  void thePageGrowsUntilTheEnd() throws IOException {
    report.end();
    assertFalse(Files.exists(folder.resolve(TuneReport.NAME)), "nothing has begun");
    report.on(new StudyStarted(4));
    assertTrue(page().contains("value=\"0\" max=\"4\""), page());
    assertTrue(page().contains("No trial has a result yet."));
    finish(1, 1, "2", OptionalDouble.of(3), true);
    assertTrue(page().contains("value=\"0\""), "nothing was done since the page was written");
    finish(2, 1, "30", OptionalDouble.of(1), false);
    assertTrue(page().contains("2 of 4 trainings are done, about 3 min left"), page());
    assertTrue(page().contains("follow();"));
    report.end();
    assertTrue(page().contains("2 of 4 trainings are done. It was stopped"));
    assertFalse(page().contains("follow();"));
  }

  @Test
  void theBestIsThatWithTheMostWork() throws IOException {
    report.on(new StudyStarted(4));
    finish(1, 1, "2", OptionalDouble.of(3), false);
    finish(2, 1, "90", OptionalDouble.of(1), false);
    finish(3, 1, "4", OptionalDouble.empty(), false);
    finish(1, 2, "2", OptionalDouble.of(2.5), false);
    report.end();
    assertTrue(page().contains("4 trials; the best has wmse 2.5000 on validation, with"), page());
    assertTrue(page().contains("lambda 2."), page());
    assertTrue(page().contains("<td class=\"marked\">2.5000</td>"), page());
    assertTrue(page().contains("it diverged"));
    assertTrue(
        page().contains("\"series\":[{\"name\":\"trials\",\"points\":[[2.0,3.0],[90.0,1.0]"));
    assertTrue(page().contains("{\"name\":\"best\",\"points\":[[2.0,2.5]]}"), page());
    assertTrue(
        page().contains("\"categories\":[\"1:0.1\",\"1:0.2\"]"), "values that are no numbers");
    assertTrue(page().contains("4 of 4 trainings are done."));
    assertEquals(-1, page().indexOf("follow();"));
  }
}
