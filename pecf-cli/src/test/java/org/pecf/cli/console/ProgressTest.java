package org.pecf.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final Terminal WIDE = new Terminal(true, 100, false);

  private static Progress inMemberTwoOfFour() {
    return Progress.activity("loading")
        .startMember(1, 4, "wmf")
        .withFigures(Map.of("recall@50", 0.38124))
        .startMember(2, 4, "wmf")
        .finishStep("wmf", 2, 8, Map.of("objective", 1234.567));
  }

  @Test
  void membersAreShownWithBarStepFiguresAndTimes() {
    assertEquals(
        List.of(
            "member 2/4  wmf  [========                ]  step 2/8",
            "recall@50 0.3812  objective 1234.6  elapsed 0:12  about 0:22 left"),
        inMemberTwoOfFour().lines(Duration.ofSeconds(12), Duration.ofSeconds(10), WIDE));
  }

  @Test
  void fractionCountsFinishedMembersAndSteps() {
    assertEquals((1 + 2 / 8.0) / 4, inMemberTwoOfFour().fraction(), 1e-12);
    assertEquals(0, Progress.activity("loading").fraction());
  }

  @Test
  void otherActivitiesTakeOneLine() {
    assertEquals(
        List.of("loading  elapsed 1:01:05"),
        Progress.activity("loading").lines(Duration.ofSeconds(3665), Duration.ZERO, WIDE));
  }

  @Test
  void noTimeIsForetoldBeforeThereIsAnyGround() {
    Progress begun = Progress.activity("").startMember(1, 4, "wmf");
    assertEquals(
        "elapsed 0:05", begun.lines(Duration.ofSeconds(5), Duration.ofSeconds(5), WIDE).get(1));
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    Terminal narrow = new Terminal(true, 30, false);
    for (String line :
        inMemberTwoOfFour().lines(Duration.ofSeconds(12), Duration.ofSeconds(10), narrow)) {
      assertTrue(line.length() < 30, line);
    }
  }
}
