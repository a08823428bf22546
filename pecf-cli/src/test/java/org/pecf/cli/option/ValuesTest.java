package org.pecf.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;

class ValuesTest {
  @ParameterizedTest
  @CsvSource({
    "8g, 8589934592",
    "8G, 8589934592",
    "1.5g, 1610612736",
    "512m, 536870912",
    "512 MB, 536870912",
    "64k, 65536",
    "1KiB, 1024",
    "2t, 2199023255552",
    "1000, 1000"
  })
  void memoryIsReadInAnyUnit(String text, long bytes) {
    assertEquals(bytes, Values.bytes("--memory", text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g", "-1g", "8x", "0", "much", "1e400g"})
  void otherTextIsNoMemory(String text) {
    assertEquals(
        "--memory must be an amount of memory such as 8g or 512m, not '" + text + "'",
        assertThrows(PecfException.class, () -> Values.bytes("--memory", text)).getMessage());
  }

  @Test
  void numbersAreApartByCommas() {
    assertEquals(List.of(50, 100), Values.positiveIntegers("--cutoffs", "50, 100"));
    for (String text : List.of("", "50,", "0", "-1", "a", "1.5")) {
      assertEquals(
          "--cutoffs must be whole numbers from 1 on such as 50,100,200, not '" + text + "'",
          assertThrows(PecfException.class, () -> Values.positiveIntegers("--cutoffs", text))
              .getMessage());
    }
  }

  @Test
  void choicesSuggestTheNearest() {
    assertEquals(
        ComputationPath.CORRECTED, Values.choice("--path", "corrected", ComputationPath.values()));
    assertEquals(
        "--path cannot be 'desne'. Did you mean 'dense'? It is one of: auto, dense, corrected",
        assertThrows(
                PecfException.class,
                () -> Values.choice("--path", "desne", ComputationPath.values()))
            .getMessage());
  }
}
