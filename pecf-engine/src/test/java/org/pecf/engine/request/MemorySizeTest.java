package org.pecf.engine.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;

class MemorySizeTest {
  @ParameterizedTest
  @CsvSource({
    "8g, 8589934592, 8g",
    "8G, 8589934592, 8g",
    "1.5g, 1610612736, 1536m",
    "512m, 536870912, 512m",
    "512 MB, 536870912, 512m",
    "64k, 65536, 64k",
    "1KiB, 1024, 1k",
    "2t, 2199023255552, 2t",
    "1000, 1000, 1000"
  })
  void memoryIsReadInAnyUnit(String text, long bytes, String shortest) {
    assertEquals(new MemorySize(bytes), MemorySize.parse(text));
    assertEquals(shortest, MemorySize.parse(text).toString());
    assertEquals(bytes, MemorySize.parse(shortest).bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "-1g", "8x", "0", "much", "1e400g"})
  void otherTextIsNoMemory(String text) {
    assertEquals(
        "'" + text + "' is not an amount of memory. Write for example 8g or 512m.",
        assertThrows(PecfException.class, () -> MemorySize.parse(text)).getMessage());
  }
}
