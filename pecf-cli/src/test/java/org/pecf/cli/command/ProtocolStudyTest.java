package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.cli.RecordedApplication;

/** Measure on noise what protocols reward. */
class ProtocolStudyTest extends RecordedApplication {
  /** Chance exceeds so many standard deviations once in a thousand times. */
  private static final double LIMIT = 3.29;

  @TempDir private Path folder;

  private static JsonNode json(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile());
  }

  /** Return how many standard deviations above chance each recall of a protocol is. */
  private static List<Double> excesses(JsonNode results, String protocol) {
    JsonNode node = results.at("/protocols/" + protocol);
    double mean = node.at("/chance/mean").asDouble();
    double deviation = node.at("/chance/halfWidth95").asDouble() / 1.96;
    return node.get("recall").findValues("mean").stream()
        .map(recall -> (recall.asDouble() - mean) / deviation)
        .toList();
  }

  @Test
  void onlyRankedTrainedZerosLiftNoiseAboveChance() throws IOException {
    Path study = folder.resolve("study");
    assertEquals(0, execute("reproduce", "--only protocols --quick", study), this::err);
    JsonNode results = json(study.resolve("protocols.json"));
    assertEquals(300, results.at("/data/users").asInt());
    for (String honest : List.of("positives", "leave-one-out", "part-cells")) {
      List<Double> excesses = excesses(results, honest);
      assertEquals(6, excesses.size(), honest);
      assertTrue(excesses.stream().allMatch(excess -> Math.abs(excess) < LIMIT), honest + excesses);
    }
    List<Double> memory = excesses(results, "trained-zeros");
    assertTrue(memory.stream().allMatch(excess -> excess > LIMIT), memory::toString);
    double chance = results.at("/protocols/trained-zeros/chance/mean").asDouble();
    double best = results.at("/protocols/trained-zeros/recall/5/mean").asDouble();
    double bound = results.at("/memoriser/mean").asDouble();
    assertTrue(best > 1.5 * chance && best < bound, chance + " " + best + " " + bound);
    // Of 385 candidates, 155 of them untrained: 23 positives of 400 are known, 2 in 5 cells held
    // out.
    assertEquals(2.45, bound / chance, 0.1);

    String text = Files.readString(study.resolve("protocols.md"));
    assertTrue(out().startsWith(text), this::out);
    assertTrue(text.contains("](figures/protocols.svg)"), text);
    String figure = Files.readString(study.resolve("figures/protocols.svg"));
    assertTrue(figure.contains("Pure noise (builtin:noise), test part"), figure);
    String page = Files.readString(study.resolve("report.html"));
    assertTrue(page.contains("above chance") && !page.contains("follow();"), page);

    assertEquals(2, execute("reproduce", "--only protocols --quick", study));
    assertTrue(err().contains("protocols.md exists already"), this::err);
  }

  @Test
  void figuresAreThoseOfTrainingWithTheSameOptions() throws IOException {
    String noise =
        "--set synthetic.users=60 --set synthetic.items=80 --set synthetic.positives=600"
            + " --cutoffs 10 --threads 1 --rank 4 --rounds 2 --path dense --seed 5 ";
    Path study = folder.resolve("study");
    assertEquals(0, execute("reproduce", "--only protocols --seeds 1 " + noise, study), this::err);
    JsonNode results = json(study.resolve("protocols.json"));
    for (JsonNode protocol : results.get("protocols")) {
      Path model = folder.resolve("model");
      String options =
          "--overwrite --data builtin:noise --format synthetic --set synthetic.seed=5"
              + " --construction l2boost --shrinkage 0.5 --lambda 0.6 --confidence 1:0.1 --split "
              + protocol.get("split").asText()
              + " --candidates "
              + protocol.get("candidates").asText()
              + " ";
      assertEquals(0, execute("train", options + noise, model), this::err);
      assertEquals(
          json(model.resolve("metrics.json")).at("/metrics/test/recall@10").asDouble(),
          protocol.at("/recall/2/mean").asDouble(),
          options);
    }
  }
}
