package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.pecf.cli.console.Terminal;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.study.page.Page.Block;
import org.pecf.study.page.Page.Block.Words;
import org.pecf.study.page.Table;
import org.pecf.study.page.Table.Cell;

class TablesTest {
  private static Map<String, Double> metrics(double recall10, double recall20, double wmse) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("recall@10", recall10);
    metrics.put("recall@20", recall20);
    metrics.put("wmse", wmse);
    return metrics;
  }

  @Test
  void metricsAreRowsAndPartsAreColumns() {
    Map<String, Map<String, Double>> parts = new LinkedHashMap<>();
    parts.put("validation", metrics(0.1, 0.2, 0.3));
    parts.put("test", metrics(0.4, 0.5, 0.6));
    assertEquals(
        List.of(
            "metric  validation @10     @20  test @10     @20",
            "------  --------------  ------  --------  ------",
            "recall          0.1000  0.2000    0.4000  0.5000",
            "wmse            0.3000            0.6000"),
        Tables.metrics(parts).lines(Terminal.none()));
  }

  @Test
  void roundsThatWereDroppedAreMarked() {
    List<MemberFinished> rounds =
        List.of(
            new MemberFinished(
                1, 3, "wmf", 1, Optional.empty(), List.of(), metrics(0.1, 0.2, 0.3), 1.5),
            new MemberFinished(
                2, 3, "wmf", 0.25, Optional.empty(), List.of(), metrics(0.05, 0.1, 0.4), 12.34));
    assertEquals(
        List.of(
            "on the validation part, after each member (* best):",
            "member  filter   alpha   weight  recall@10      @20     wmse    time",
            "------  ------  ------  -------  ---------  -------  -------  ------",
            "     1  wmf     1.0000   1.0000    0.1000*  0.2000*  0.3000*  1.50 s",
            "     2  wmf     0.2500  dropped    0.0500   0.1000   0.4000   12.3 s"),
        Tables.rounds(rounds, Map.of(1, 1.0), Terminal.none()));
  }

  @Test
  void wordsAndTablesOfAStudyFitThePage() {
    List<Block> report =
        List.of(
            new Words("## Recall"),
            new Words(""),
            new Words("Words that are longer than the page is wide."),
            new Words(""),
            new Table(
                "Recall",
                List.of("method", "Recall@50", "WMSE"),
                List.of(
                    List.of(new Cell("WMF"), new Cell("0.1000"), new Cell("0.3000", true)),
                    List.of(new Cell("PECF"), new Cell("0.2000", true), new Cell("")))));
    assertEquals(
        List.of(
            "## Recall",
            "",
            "Words that are longer than",
            "the page is wide.",
            "",
            "method  Recall@50     WMSE",
            "------  ---------  -------",
            "WMF       0.1000   0.3000*",
            "PECF      0.2000*"),
        Tables.lines(report, new Terminal(false, 26, false)));
  }
}
