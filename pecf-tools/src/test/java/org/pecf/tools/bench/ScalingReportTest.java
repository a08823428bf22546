package org.pecf.tools.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScalingReportTest {
  /** Sweeps grow with the square, memory not at all. */
  private static ScalingPoint point(String dimension, int size) {
    return new ScalingPoint(dimension, size, 0.5 * size * size, size, size, 3, 1_000_000);
  }

  private static final ScalingReport REPORT =
      new ScalingReport(
          List.of(point("rank", 10), point("rank", 20), point("rank", 40), point("threads", 1)));

  @Test
  void fitsThePowerOfALaw() {
    List<ScalingPoint> group = REPORT.points().subList(0, 3);
    assertEquals(2, ScalingReport.exponent(group, ScalingPoint::sweepSeconds), 1e-12);
    assertEquals(0, ScalingReport.exponent(group, ScalingPoint::memoryBytes), 1e-12);
  }

  @Test
  void tellsExponentsOfDimensionsWithSeveralPointsOnly() {
    List<String> table = REPORT.table();
    assertEquals("| | *exponent* | *2.00* | *1.00* | *1.00* | *0.00* | *0.00* |", table.get(5));
    assertEquals("| threads | 1 | 0.500 | 1.000 | 1.000 | 3.000 | 1 |", table.get(6));
    assertEquals(7, table.size());
  }

  @Test
  void writesATableAndCharts(@TempDir Path folder) throws IOException {
    REPORT.write(folder.resolve("new"));
    assertEquals(REPORT.table(), Files.readAllLines(folder.resolve("new/scaling.md")));
    String chart = Files.readString(folder.resolve("new/scaling-time.svg"));
    assertTrue(chart.contains("rank: 4, 4"), chart);
    assertTrue(Files.readString(folder.resolve("new/scaling-memory.svg")).contains("rank: 4, 1"));
  }
}
