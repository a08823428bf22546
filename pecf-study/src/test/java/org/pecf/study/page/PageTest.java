package org.pecf.study.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.study.page.Chart.Bars;
import org.pecf.study.page.Chart.Lines;
import org.pecf.study.page.Chart.Points;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Steps;
import org.pecf.study.page.Page.Block.Words;

class PageTest {
  private static final String HOSTILE = "</script><script>alert(1)</script>\"&'";

  private static Page page(Block... blocks) {
    return new Page(HOSTILE, HOSTILE, List.of(new Page.Section(HOSTILE, List.of(blocks))), HOSTILE);
  }

  @Test
  void wordsFromDataNeverBecomeMarkup() {
    String html =
        page(
                new Words(HOSTILE),
                Table.of(HOSTILE, List.of(HOSTILE), List.of(List.of(HOSTILE))),
                Bars.of(
                    HOSTILE,
                    HOSTILE,
                    HOSTILE,
                    HOSTILE,
                    List.of(HOSTILE),
                    List.of(new Bars.Group(HOSTILE, new double[] {1}))))
            .html();
    assertFalse(html.contains("<script>alert"), "a script of the data");
    assertEquals(2, html.split("</script>", -1).length - 1);
    assertTrue(html.contains("&lt;/script&gt;"));
  }

  @Test
  void everyChartHasItsValuesInATable() {
    Lines lines =
        Lines.of(
            "title",
            "",
            "x",
            "y",
            List.of(
                new Chart.Series("a", List.of(new double[] {1, 0.25}, new double[] {2, 0.5})),
                new Chart.Series("b", List.of(new double[] {2, 3}))));
    assertEquals(List.of("x", "a", "b"), lines.table().heads());
    assertEquals(
        List.of(List.of("1", "0.25", "–"), List.of("2", "0.50", "3")),
        lines.table().rows().stream()
            .map(row -> row.stream().map(Table.Cell::text).toList())
            .toList());
    String html = page(lines.marked(2, "kept")).html();
    assertTrue(html.contains("data-chart=\"c0\""), html);
    assertTrue(html.contains("\"kind\":\"lines\""), html);
    assertTrue(html.contains("\"mark\":2.0"), html);
    assertFalse(html.contains("\"table\":"), html);
  }

  @Test
  void valuesThatAreMissingAreNullForTheScript() {
    Bars bars =
        Bars.of(
            "t",
            "",
            "x",
            "y",
            List.of("a", "b"),
            List.of(new Bars.Group("g", new double[] {Double.NaN, 2})));
    assertTrue(page(bars).html().contains("[null,2.0]"), page(bars).html());
    assertEquals("–", bars.table().rows().get(0).get(1).text());
  }

  @Test
  void aPageThatGrowsLoadsItselfAgain() {
    Page growing =
        new Page(
            "t",
            "l",
            List.of(new Page.Section("s", List.of(new Steps("1 of <3>", 1, 3)))),
            "f",
            true);
    assertTrue(growing.html().contains("value=\"1\" max=\"3\""), growing.html());
    assertTrue(growing.html().contains("1 of &lt;3&gt;"), growing.html());
    assertTrue(growing.html().contains("\nfollow();\n"));
    assertFalse(page(new Words("w")).html().contains("follow()"));
  }

  /** The scripts of a page are one, since a file has nothing to import from. */
  @Test
  void scriptsImportNothingFromOtherFiles() {
    assertFalse(page(new Words("w")).html().contains("import "));
    assertTrue(Page.resource("charts.js").contains("import { element, figure }"));
  }

  @Test
  void placesOfPointsCanHaveNames() {
    Points points =
        new Points(
            "t",
            "",
            "x",
            "y",
            false,
            List.of("one", "two"),
            List.of(new Chart.Series("all", List.of(new double[] {1, 0.5}))));
    assertEquals("two", points.table().rows().get(0).get(1).text());
  }

  @Test
  void figuresHaveTheDigitsThatTellSomething() {
    assertEquals("1,234", Figure.of(1234));
    assertEquals("10,000,000", Figure.of(1e7));
    assertEquals("1.23e+07", Figure.of(12_345_678.5));
    assertEquals("0.1235", Figure.of(0.12345678));
    assertEquals("12.3", Figure.of(12.3));
    assertEquals("1.23e-05", Figure.of(1.234e-5));
    assertEquals("–", Figure.of(Double.NaN));
  }

  @Test
  void tablesAreWhole() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Table.of("t", List.of("a", "b"), List.of(List.of("1"))));
    assertThrows(IllegalArgumentException.class, () -> Page.resource("no.js"));
  }
}
