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
        .finishStep("wmf", 2, 8, Map.of("objective", 1234.567))
        .withRate(1_234_567);
  }

  private static List<String> lines(Terminal terminal) {
    return inMemberTwoOfFour()
        .lines(Duration.ofSeconds(12), Duration.ofSeconds(10), 512 << 20, terminal);
  }

  @Test
  void membersAreShownWithBarStepFiguresAndTimes() {
    assertEquals(
        List.of(
            "member 2/4  wmf  [========                ]  step 2/8",
            "recall@50 0.3812  objective 1234.6  1.2M positives/s  memory 512 MB  elapsed 0:12"
                + "  about 0:22 left"),
        lines(WIDE));
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
        Progress.activity("loading").lines(Duration.ofSeconds(3665), Duration.ZERO, 1, WIDE));
  }

  @Test
  void noTimeIsForetoldBeforeThereIsAnyGround() {
    Progress begun = Progress.activity("").startMember(1, 4, "wmf");
    assertEquals(
        "elapsed 0:05", begun.lines(Duration.ofSeconds(5), Duration.ofSeconds(5), 0, WIDE).get(1));
  }

  @Test
  void narrowTerminalsShowTheMostImportantParts() {
    assertEquals(
        List.of(
            "member 2/4  wmf  [===     ]  step 2/8",
            "objective 1234.6  elapsed 0:12  about 0:22 left"),
        lines(new Terminal(true, 52, false)));
    assertEquals(
        List.of("member 2/4  step 2/8", "about 0:22 left"), lines(new Terminal(true, 26, false)));
    for (int columns = 20; columns < 120; columns++) {
      for (String line : lines(new Terminal(true, columns, false))) {
        assertTrue(line.length() < columns, line);
      }
    }
  }
}
