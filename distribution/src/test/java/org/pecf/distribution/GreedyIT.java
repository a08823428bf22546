package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** Members of several filters, selected on validation, as one stored model. */
class GreedyIT {
  private static final String PLAN =
      "wmf:rank=12:iterations=4:confidence=1:0.02:0.5,rp3beta:neighbours=50,wmf:rank=4:iterations=4";

  @TempDir private Path folder;

  private Outcome greedy(String out, String... more) throws Exception {
    List<String> arguments =
        Stream.concat(
                Stream.of("--construction", "greedy", "--filter", PLAN, "--out", out),
                Stream.of(more))
            .toList();
    return Distribution.in(folder).run(arguments.toArray(String[]::new)).expectExit(0);
  }

  private void assertSameMembers(String one, String other) throws IOException {
    int files = 0;
    try (Stream<Path> found = Files.list(folder.resolve(one))) {
      for (Path file : found.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("member-")) {
          assertEquals(-1, Files.mismatch(file, folder.resolve(other).resolve(name)), name);
          files++;
        }
      }
    }
    assertTrue(files >= 2, files + " files of members");
  }

  /** Members from the library and from training, on one thread and on two, have the same bits. */
  @Test
  void membersFromALibraryAreThoseThatWereTrained() throws Exception {
    greedy("trained", "--library", "kept", "--threads", "2");
    Outcome found = greedy("found", "--library", "kept", "--threads", "1");
    assertEquals(
        3,
        (found.out() + found.err()).lines().filter(line -> line.contains("was found in")).count(),
        found.out() + found.err());
    assertSameMembers("trained", "found");
    greedy("single", "--threads", "1");
    assertSameMembers("trained", "single");
  }

  @Test
  void theModelRecommendsTakesInUsersAndExplains() throws Exception {
    greedy("model", "--weights", "0.4,0.4,0.2", "--refit");
    Distribution distribution = Distribution.in(folder);
    Outcome known =
        distribution.run("recommend", "model", "--user", "3", "--top", "4").expectExit(0);
    assertEquals(4, known.out().lines().filter(line -> line.matches(" *3 .*\\d.*")).count());
    distribution.run("recommend", "model", "--items", "1,2,3", "--top", "4").expectExit(0);
    Outcome explained = distribution.run("explain", "model", "--user", "3").expectExit(0);
    assertTrue(explained.out().contains("rp3beta"), explained.out());
    assertTrue(explained.out().contains("because of"), explained.out());
  }

  @Test
  void mistakesAreExplained() throws Exception {
    assertRefused("has no validation positives", "--split", "none");
    assertRefused("There are 2 weights for 3 members", "--weights", "0.5,0.5");
    assertRefused("is not an average over users", "--select", "coverage@50");
    assertRefused("Option 'patience' has no effect", "--patience", "2");
  }

  private void assertRefused(String reason, String... options) throws Exception {
    List<String> arguments =
        Stream.concat(Stream.of("--construction", "greedy", "--filter", PLAN), Stream.of(options))
            .toList();
    Outcome outcome = Distribution.in(folder).run(arguments.toArray(String[]::new)).expectExit(2);
    assertTrue((outcome.out() + outcome.err()).contains(reason), outcome.out() + outcome.err());
  }
}
