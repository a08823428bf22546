package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0.38812345, 0.3881",
    "0, 0.0000",
    "-0.5, -0.5000",
    "0.00012341, 0.0001234",
    "12345.678, 12345.7",
    "123456789, 1.235e+08",
    "NaN, -"
  })
  void figuresShowWhatMatters(double value, String text) {
    assertEquals(text, Figures.text(value));
  }

  @ParameterizedTest
  @CsvSource({
    "17, 17 B",
    "1536, 1.5 KB",
    "1048576, 1.0 MB",
    "8589934592, 8.0 GB",
    "85899345920, 80 GB"
  })
  void memoryIsInTheLargestUnitItFills(long bytes, String text) {
    assertEquals(text, Figures.bytes(bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1970-01-01T00:00:00Z",
    "1700000000, 2023-11-14T22:13:20Z",
    "9223372036854775807, 9223372036854775807 (no date)",
    "-9223372036854775808, -9223372036854775808 (no date)"
  })
  void everyTimeHasAText(long seconds, String text) {
    assertEquals(text, Figures.time(seconds));
  }
}
