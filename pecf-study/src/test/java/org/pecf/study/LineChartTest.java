package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.study.LineChart.Point;
import org.pecf.study.LineChart.Series;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LineChartTest {
  private static final LineChart CHART =
      new LineChart(
          "Recall & \"more\" <test>",
          "round",
          "Recall@50",
          List.of(
              new Series("PECF", List.of(new Point(0, 0.1), new Point(1, 0.3), new Point(2, 0.5))),
              new Series("L2Boost", List.of(new Point(0, 0.1), new Point(2, 0.2)))));

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document document, String tag) {
    NodeList nodes = document.getElementsByTagName(tag);
    return IntStream.range(0, nodes.getLength())
        .mapToObj(k -> nodes.item(k).getTextContent())
        .toList();
  }

  @Test
  void chartIsWellFormedAndTellsItsData() throws Exception {
    Document document = parse(CHART.svg());
    assertTrue(texts(document, "text").contains("Recall & \"more\" <test>"));
    assertTrue(texts(document, "text").containsAll(List.of("round", "Recall@50", "L2Boost")));
    assertTrue(
        texts(document, "title").containsAll(List.of("PECF: 1, 0.30000", "L2Boost: 2, 0.20000")));
    assertEquals(2, document.getElementsByTagName("polyline").getLength());
  }

  @Test
  void pointsLieWhereTheAxesSay() throws Exception {
    Document document = parse(CHART.svg());
    Element line = (Element) document.getElementsByTagName("polyline").item(0);
    // x runs from 0 to 2 over pixels 78 to 570, y from 0.1 to 0.5 over 378 up to 48.
    assertEquals("78.0,378.0 324.0,213.0 570.0,48.0", line.getAttribute("points"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 15, 0, 15, 5, 10",
    "0.388, 0.446, 0.38, 0.45, 0.01, 0.40",
    "-3, 3, -3, 3, 1, 1",
    "0.5, 0.5, 0.44, 0.56, 0.02, 0.50",
    "0, 0, -1, 1, 0.5, 0.0"
  })
  void ticksAreRound(
      double least, double largest, double low, double high, double step, String tick) {
    LineChart.Axis axis = LineChart.Axis.over(least, largest, 0);
    assertEquals(low, axis.low(), 1e-9);
    assertEquals(high, axis.high(), 1e-9);
    assertEquals(step, axis.step(), 1e-9);
    assertTrue(axis.ticks().stream().map(axis::text).toList().contains(tick), "" + axis.ticks());
  }

  @Test
  void whatIsCountedHasWholeTicks() {
    assertEquals(List.of(0.0, 1.0, 2.0), LineChart.Axis.over(0, 2, 1).ticks());
    assertEquals("2", LineChart.Axis.over(0, 2, 1).text(2));
  }

  @Test
  void longNamesAndTitlesAreNotCutOff() throws Exception {
    List<Point> points = List.of(new Point(0, 1), new Point(1, 2));
    int usual = width(new LineChart("t", "x", "y", List.of(new Series("short", points))));
    assertEquals(760, usual);
    String name = "a name of forty characters, give or take";
    assertTrue(
        width(new LineChart("t", "x", "y", List.of(new Series(name, points))))
            >= 570 + 58 + 7 * name.length());
    assertTrue(
        width(new LineChart(name + name + name, "x", "y", List.of(new Series("short", points))))
            >= 78 + 9 * 3 * name.length());
  }

  private static int width(LineChart chart) throws Exception {
    return Integer.parseInt(parse(chart.svg()).getDocumentElement().getAttribute("width"));
  }

  @Test
  void tableHoldsEveryPoint() {
    assertEquals(
        """
        | round | PECF | L2Boost |
        |---|---:|---:|
        | 0 | 0.1000 | 0.1000 |
        | 1 | 0.3000 |  |
        | 2 | 0.5000 | 0.2000 |
        """,
        CHART.table());
  }

  @Test
  void nothingCannotBeDrawn() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new LineChart("t", "x", "y", List.of(new Series("none", List.of()))));
  }
}
