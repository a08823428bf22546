package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/**
 * Runs that are killed and resumed end with the bytes of runs that are not. The system property
 * {@code pecf.kills} sets the number of kills; docs/reliability.md has the figures of 100.
 */
class ResumeIT {
  /** The number of kills from which some must hit the write of a checkpoint. */
  private static final int MANY = 50;

  private static final List<String[]> RUNS =
      List.of(
          run("--filter", "wmf,bpr", "--rounds", "4", "--patience", "2"),
          run("--construction", "em", "--components", "2", "--em-start", "l2boost"),
          run("--chains", "2", "--rounds", "1", "--path", "dense", "--alpha", "dynamic"),
          run("--construction", "boosted", "--rounds", "2", "--checkpoint-sweeps", "3"));

  @TempDir private Path folder;

  private static String[] run(String... more) {
    String[] common = {"--rank", "10", "--iterations", "6", "--checkpoint-sweeps", "1"};
    return concat(Set.of(more).contains("--checkpoint-sweeps") ? less(common) : common, more);
  }

  private static String[] less(String... common) {
    return Stream.of(common).limit(4).toArray(String[]::new);
  }

  private static String[] concat(String[] first, String... second) {
    return Stream.of(first, second).flatMap(Stream::of).toArray(String[]::new);
  }

  private Distribution distribution() {
    return Distribution.in(folder).with("SOURCE_DATE_EPOCH", "1000000000");
  }

  @Test
  void aKillAtAnyMomentCostsNoBit() throws Exception {
    int kills = Integer.getInteger("pecf.kills", 2 * RUNS.size());
    Random random = new Random(Long.getLong("pecf.kill.seed", System.nanoTime()));
    List<Long> durations = new ArrayList<>();
    for (int k = 0; k < RUNS.size(); k++) {
      long start = System.nanoTime();
      distribution().run(concat(RUNS.get(k), "--out", "whole-" + k)).expectExit(0);
      durations.add(System.nanoTime() - start);
    }
    int killed = 0;
    int inWrite = 0;
    int trials = 0;
    for (; killed < kills; trials++) {
      int k = trials % RUNS.size();
      String name = "killed-" + trials;
      String[] arguments = concat(RUNS.get(k), "--out", name);
      // Now and then a run is killed a second time, while it goes on.
      int times = random.nextInt(4) == 0 ? 2 : 1;
      for (int time = 0; time < times; time++) {
        String[] again = time == 0 ? arguments : concat(arguments, "--resume");
        boolean watching = random.nextBoolean();
        boolean ended =
            watching
                ? killInWrite(name, 1 + random.nextInt(8), again)
                : killAfter((long) (random.nextDouble() * durations.get(k)), again);
        killed += ended ? 0 : 1;
        inWrite += ended || !watching ? 0 : 1;
      }
      Outcome outcome = distribution().run(concat(arguments, "--resume")).expectExit(0);
      assertSame(folder.resolve("whole-" + k), folder.resolve(name), outcome);
    }
    System.out.printf(
        "%d kills, %d of them inside the write of a checkpoint, in %d runs%n",
        killed, inWrite, trials);
    // Chance decides whether one of a few kills hits a write; CheckpointFolderTest cuts every
    // write.
    assertTrue(inWrite > 0 || kills < MANY, "no kill hit the write of a checkpoint");
  }

  /** A member goes on within its training: the sweeps before the last kept state are not made. */
  @Test
  void aResumedMemberMakesOnlyTheSweepsThatAreLeft() throws Exception {
    String[] arguments =
        concat(run("--construction", "single", "--set", "wmf.tolerance=0"), "--out", "model");
    arguments[3] = "60";
    assertFalse(killInWrite("model", 6, arguments), "ended before it was killed");

    Outcome resumed = distribution().run(concat(arguments, "--resume", "--verbose")).expectExit(0);

    List<Integer> sweeps =
        Pattern.compile("wmf step (\\d+)/60")
            .matcher(resumed.err())
            .results()
            .map(sweep -> Integer.valueOf(sweep.group(1)))
            .toList();
    assertTrue(!sweeps.isEmpty() && sweeps.get(0) > 1, resumed.err());
    assertEquals(
        IntStream.range(sweeps.get(0), sweeps.get(0) + sweeps.size()).boxed().toList(), sweeps);
  }

  /** Kill a run after a while; return whether it had ended before. */
  private boolean killAfter(long nanoseconds, String... arguments) throws Exception {
    Process process = start(arguments);
    boolean ended = process.waitFor(nanoseconds, TimeUnit.NANOSECONDS);
    process.destroyForcibly().waitFor();
    return ended;
  }

  /**
   * Kill a run at the moment when another file of its checkpoint has appeared, which is then being
   * written; return whether the run had ended before.
   */
  private boolean killInWrite(String name, int files, String... arguments) throws Exception {
    Path checkpoint = folder.resolve(name + ".checkpoint");
    Set<String> seen = new HashSet<>(names(checkpoint));
    Process process = start(arguments);
    for (int appeared = 0; process.isAlive(); ) {
      for (String file : names(checkpoint)) {
        if (!file.equals("lock") && seen.add(file) && ++appeared >= files) {
          process.destroyForcibly().waitFor();
          return false;
        }
      }
    }
    return true;
  }

  private static Set<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return new TreeSet<>(files.map(file -> file.getFileName().toString()).toList());
    } catch (IOException | UncheckedIOException e) {
      return Set.of();
    }
  }

  private Process start(String... arguments) throws IOException {
    return distribution()
        .start(folder.resolve("killed.out"), folder.resolve("killed.err"), arguments);
  }

  /** Compare all bytes of two models, and what their runs report but for the times taken. */
  private void assertSame(Path whole, Path resumed, Outcome outcome) throws IOException {
    Set<String> names = names(whole);
    assertEquals(names, names(resumed), outcome.err());
    for (String name : names) {
      if (!Set.of("metrics.json", "report.html", "run.log").contains(name)) {
        assertArrayEquals(
            Files.readAllBytes(whole.resolve(name)),
            Files.readAllBytes(resumed.resolve(name)),
            resumed.resolve(name) + "\n" + outcome.err());
      }
    }
    JsonNode expected = json(whole);
    JsonNode found = json(resumed);
    assertEquals(expected.at("/rounds"), found.at("/rounds"));
    assertEquals(expected.at("/metrics"), found.at("/metrics"));
    if (!expected.at("/rounds").isEmpty()) {
      assertEquals(expected.at("/plans"), found.at("/plans"));
    }
    Path name = resumed.getFileName();
    assertFalse(Files.exists(resumed.resolveSibling(name + ".checkpoint")), "left behind");
  }

  private static JsonNode json(Path model) throws IOException {
    JsonNode tree = new ObjectMapper().readTree(model.resolve("metrics.json").toFile());
    tree.at("/rounds").forEach(round -> ((ObjectNode) round).remove("seconds"));
    return tree;
  }

  @Test
  void aChangedRunIsRefusedWithTheDifference() throws Exception {
    String[] arguments = concat(RUNS.get(0), "--out", "model");
    Files.writeString(folder.resolve("ratings.csv"), ratings(0));
    String[] onFile = concat(arguments, "--data", "ratings.csv", "--min-user", "1");
    assertFalse(killInWrite("model", 4, onFile));

    Outcome forgotten = distribution().run(onFile).expectExit(2);
    assertTrue(forgotten.err().contains("Add --resume to go on with it"), forgotten.err());
    Outcome changed = distribution().run(concat(onFile, "--resume", "--seed", "7")).expectExit(2);
    assertTrue(changed.err().contains("options changed: seed was 1 and is 7"), changed.err());
    Files.writeString(folder.resolve("ratings.csv"), ratings(1));
    Outcome other = distribution().run(concat(onFile, "--resume")).expectExit(2);
    assertTrue(other.err().contains("the data changed: fingerprint was "), other.err());

    Files.writeString(folder.resolve("ratings.csv"), ratings(0));
    distribution().run(concat(onFile, "--resume", "--threads", "1")).expectExit(0);
    Outcome done = distribution().run(concat(onFile, "--resume", "--threads", "1")).expectExit(0);
    assertTrue(done.out().contains("the run is complete already"), done.out());
  }

  private static String ratings(int shift) {
    StringBuilder lines = new StringBuilder("user,item,rating\n");
    for (int user = 0; user < 40; user++) {
      for (int item = 0; item < 30; item++) {
        if ((user * 7 + item * 3 + shift) % 5 == 0) {
          lines.append(user + "," + item + ",5\n");
        }
      }
    }
    return lines.toString();
  }
}
