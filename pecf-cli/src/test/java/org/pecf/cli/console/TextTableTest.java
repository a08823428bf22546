package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.pecf.cli.console.TextTable.Align;

class TextTableTest {
  @Test
  void wordsStandLeftAndNumbersRight() {
    TextTable table =
        new TextTable()
            .left("name")
            .right("n")
            .left("why")
            .row("a", "10", "x")
            .row("longer", "5", "");
    assertEquals(
        List.of("name     n  why", "------  --  ---", "a       10  x", "longer   5"),
        table.lines(Terminal.none()));
  }

  @Test
  void lettersBeyondTheBasicPlaneCountOnce() {
    TextTable table = new TextTable().left("a", "b").row("\uD83D\uDE00", "x");
    assertEquals("\uD83D\uDE00  x", table.lines(Terminal.none()).get(2));
  }

  @Test
  void wordsGoOnInTheNextLineWhereTheyDoNotFit() {
    TextTable table =
        new TextTable()
            .left("key")
            .right("n")
            .left("meaning")
            .row("first", "10", "words that go on and on")
            .row("second", "5", "averyveryveryveryverylongword");
    assertEquals(
        List.of(
            "key      n  meaning",
            "------  --  ------------",
            "first   10  words that",
            "            go on and on",
            "second   5  averyveryver",
            "            yveryverylon",
            "            gword"),
        table.lines(new Terminal(false, 24, false)));
  }

  @Test
  void numbersThatDoNotFitFollowBelowBesideTheFirstColumn() {
    TextTable table =
        new TextTable()
            .left("name")
            .column("test ", "@50", Align.RIGHT)
            .column("test ", "@100", Align.RIGHT)
            .column("test ", "@200", Align.RIGHT)
            .column("", "time", Align.RIGHT)
            .row(List.of("a", "0.1", "0.2", "0.3", "1.5 s"), Set.of(2));
    assertEquals(
        List.of(
            "name  test @50  @100",
            "----  --------  ----",
            "a          0.1  0.2*",
            "",
            "name  test @200",
            "----  ---------",
            "a           0.3",
            "",
            "name   time",
            "----  -----",
            "a     1.5 s"),
        table.lines(new Terminal(false, 20, false)));
  }

  @Test
  void columnsOfAGroupStayTogether() {
    TextTable table =
        new TextTable()
            .left("name")
            .column("one ", "@50", Align.RIGHT)
            .column("two ", "@50", Align.RIGHT)
            .column("two ", "@100", Align.RIGHT)
            .row("a", "0.1", "0.2", "0.3");
    assertEquals(
        List.of(
            "name  one @50",
            "----  -------",
            "a         0.1",
            "",
            "name  two @50  @100",
            "----  -------  ----",
            "a         0.2   0.3"),
        table.lines(new Terminal(false, 24, false)));
  }

  @Test
  void bestValuesHaveAStarAndAreBoldWhereThePageHasThat() {
    TextTable table =
        new TextTable()
            .left("name")
            .right("recall")
            .row("a", "0.1")
            .row(List.of("b", "0.2"), Set.of(1));
    assertEquals(
        List.of("name  recall", "----  ------", "a       0.1", "b       0.2*"),
        table.lines(Terminal.none()));
    assertEquals(
        "b       \u001b[1m0.2*\u001b[0m", table.lines(new Terminal(false, 80, true)).get(3));
  }

  @Test
  void aTableThatGrowsHasOneHeader() {
    TextTable table = new TextTable().right("n").row("1");
    assertEquals(List.of("n", "-", "1"), table.next(Terminal.none()));
    table.row("22");
    assertEquals(List.of("22"), table.next(Terminal.none()));
    table.row("3");
    assertEquals(List.of(" 3"), table.next(Terminal.none()));
  }

  @Test
  void rowOfTheWrongLengthIsRefused() {
    TextTable table = new TextTable().left("a");
    assertThrows(IllegalArgumentException.class, () -> table.row("x", "y"));
  }
}
