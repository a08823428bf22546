package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.pecf.cli.console.Terminal;

class MarkdownTextTest {
  private static final String REPORT =
      """
      ## Recall

      Words that are longer than the page is wide.

      | method | Recall@50 | WMSE |
      |---|---:|---:|
      | WMF | 0.1000 | **0.3000** |
      | PECF | **0.2000** |  |
      """;

  @Test
  void tablesStandInColumnsOnATerminal() {
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
        MarkdownText.lines(REPORT, new Terminal(false, 26, false)));
  }

  @Test
  void filesGetTheReportAsItIs() {
    assertEquals(REPORT.lines().toList(), MarkdownText.lines(REPORT, Terminal.none()));
  }
}
