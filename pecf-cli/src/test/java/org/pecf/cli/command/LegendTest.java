package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class LegendTest {
  @Test
  void longTextsAreLabelledOnceAndExplainedPartByPart() {
    CompareCommand.Legend legend = new CompareCommand.Legend();
    String plan = "id=wmf rank=150 lambda=1, id=rp3beta neighbours=3000";
    String other = plan.replace("150", "750");
    assertEquals("wmf", legend.shorten("wmf"));
    assertEquals("[1]", legend.shorten(plan));
    assertEquals("[2]", legend.shorten(other));
    assertEquals("[1]", legend.shorten(plan));
    assertEquals(
        List.of(
            "[1] id=wmf rank=150 lambda=1",
            "    id=rp3beta neighbours=3000",
            "[2] id=wmf rank=750 lambda=1",
            "    id=rp3beta neighbours=3000"),
        legend.lines());
  }
}
