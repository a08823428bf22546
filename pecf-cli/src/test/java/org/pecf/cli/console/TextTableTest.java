package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.cli.console.TextTable.Align;

class TextTableTest {
  @Test
  void wordsStandLeftAndNumbersRight() {
    TextTable table =
        new TextTable()
            .column("name", Align.LEFT)
            .column("n", Align.RIGHT)
            .column("why", Align.LEFT)
            .row(List.of("a", "10", "x"))
            .row(List.of("longer", "5", ""));
    assertEquals(
        List.of("name     n  why", "------  --  ---", "a       10  x", "longer   5"),
        table.lines());
  }

  @Test
  void lettersBeyondTheBasicPlaneCountOnce() {
    TextTable table =
        new TextTable()
            .column("a", Align.LEFT)
            .column("b", Align.LEFT)
            .row(List.of("\uD83D\uDE00", "x"));
    assertEquals("\uD83D\uDE00  x", table.lines().get(2));
  }

  @Test
  void rowOfTheWrongLengthIsRefused() {
    TextTable table = new TextTable().column("a", Align.LEFT);
    assertThrows(IllegalArgumentException.class, () -> table.row(List.of("x", "y")));
  }
}
