package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;

class TrialLogTest {
  @TempDir private Path folder;

  private static final Trial GOOD =
      new Trial(
          1,
          3,
          Map.of("lambda", "0.1"),
          OptionalDouble.of(0.1 + 0.2),
          Map.of("recall@50", 0.1 + 0.2),
          Optional.empty(),
          Optional.empty(),
          1.5);
  private static final Trial FAILED =
      new Trial(
          2,
          3,
          Map.of("lambda", "9"),
          OptionalDouble.empty(),
          Map.of(),
          Optional.of("why"),
          Optional.empty(),
          2);

  private List<Trial> trials() {
    try (TrialLog log = TrialLog.open(folder)) {
      return List.copyOf(log.trials());
    }
  }

  @Test
  void trialsAreReadAsTheyWereWritten() {
    try (TrialLog log = TrialLog.open(folder)) {
      log.add(GOOD);
      log.add(FAILED);
      assertEquals(Optional.of(GOOD), log.find(1, 3, OptionalDouble.of(0.001)));
      assertEquals(Optional.empty(), log.find(1, 2, OptionalDouble.empty()));
    }
    assertEquals(List.of(GOOD, FAILED), trials());
  }

  @Test
  void aTrialGivenUpIsFinishedUntilMoreIsAllowed() {
    Trial given =
        new Trial(
            3,
            0,
            Map.of("lambda", "7"),
            OptionalDouble.empty(),
            Map.of(),
            Optional.of("given up"),
            Optional.of(5.0),
            6);
    try (TrialLog log = TrialLog.open(folder)) {
      log.add(given);
      assertEquals(Optional.of(given), log.find(3, 0, OptionalDouble.of(5)));
      assertEquals(Optional.empty(), log.find(3, 0, OptionalDouble.of(5.5)));
      assertEquals(Optional.empty(), log.find(3, 0, OptionalDouble.empty()));
    }
    assertEquals(List.of(given), trials());
  }

  @Test
  void halfALastLineIsCutOffAndTheTrialWrittenAnew() throws IOException {
    try (TrialLog log = TrialLog.open(folder)) {
      log.add(GOOD);
      log.add(FAILED);
    }
    Path file = folder.resolve(TrialLog.NAME);
    String whole = Files.readString(file);
    for (int length = whole.indexOf('\n') + 1; length < whole.length(); length++) {
      Files.writeString(file, whole.substring(0, length), StandardOpenOption.TRUNCATE_EXISTING);
      try (TrialLog log = TrialLog.open(folder)) {
        assertEquals(List.of(GOOD), log.trials());
        log.add(FAILED);
      }
      assertEquals(whole, Files.readString(file));
    }
  }

  @Test
  void brokenLinesInTheMiddleAreNamed() throws IOException {
    try (TrialLog log = TrialLog.open(folder)) {
      log.add(GOOD);
    }
    Path file = folder.resolve(TrialLog.NAME);
    String good = Files.readString(file);
    assertTrue(good.startsWith("{\"trial\":1,\"budget\":3,"), good);
    for (String broken : List.of("nonsense", "{}", good.strip().replace("\"budget\":3,", ""))) {
      Files.writeString(file, good + broken + "\n" + good);
      String message = assertThrows(PecfException.class, this::trials).getMessage();
      assertTrue(message.contains("trials.jsonl:2 is not a trial"), message);
    }
  }
}
