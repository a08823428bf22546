package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    for (String field : List.of("/rounds", "/plans")) {
      JsonNode known = metrics("found").at(field);
      assertEquals(metrics("trained").at(field), known);
      assertTrue(known.size() > 1, known::toString);
    }
    greedy("single", "--threads", "1");
    assertSameMembers("trained", "single");
  }

  private JsonNode metrics(String model) throws IOException {
    JsonNode tree =
        new ObjectMapper().readTree(folder.resolve(model).resolve("metrics.json").toFile());
    tree.at("/rounds").forEach(round -> ((ObjectNode) round).remove("seconds"));
    return tree;
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

  /** The weights of members and of a curve over popularity, fitted and then used on all data. */
  @Test
  void stackedWeightsMakeAModelLikeAnyOther() throws Exception {
    String plan = PLAN + ",popularity-ramp:from=0.125:to=1,popularity-ramp:from=1:to=4";
    String[] arguments = {
      "--construction", "greedy", "--filter", plan, "--weights", "stacked", "--library", "kept"
    };
    Distribution distribution = Distribution.in(folder);
    for (String threads : new String[] {"1", "2"}) {
      List<String> all =
          Stream.concat(
                  Stream.of(arguments),
                  Stream.of("--threads", threads, "--out", "stacked-" + threads, "--refit"))
              .toList();
      Outcome trained = distribution.run(all.toArray(String[]::new)).expectExit(0);
      assertTrue(
          (trained.out() + trained.err()).contains("weights stacked on validation (recall@"),
          trained.out() + trained.err());
    }
    assertSameMembers("stacked-1", "stacked-2");
    distribution.run("recommend", "stacked-1", "--items", "1,2,3", "--top", "4").expectExit(0);
    distribution.run("explain", "stacked-1", "--user", "3").expectExit(0);
  }

  /** A weight below zero is written like any other, although it begins like an option. */
  @Test
  void givenWeightsMayBeBelowZero() throws Exception {
    greedy("model", "--weights", "-0.2,0.5,0.3");
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
