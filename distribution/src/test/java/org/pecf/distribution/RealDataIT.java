package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Figures on real data beside those of independent prototypes, within their spread. Needs the data
 * sets, which are not part of the project: set PECF_DATA to the folder that holds them.
 */
class RealDataIT {
  /** The setting and the candidates of the prototypes. */
  private static final String[] SETTING = {
    "--cutoffs",
    "50,100,200",
    "--candidates",
    "all-but-training",
    "--lambda",
    "0.2",
    "--confidence",
    "1:0.01",
    "--iterations",
    "8",
    "--set",
    "wmf.frequency-exponent=0"
  };

  @TempDir private Path folder;

  private static Path data(String name) {
    Path root =
        Optional.ofNullable(System.getenv("PECF_DATA"))
            .map(Path::of)
            .orElse(Path.of(System.getProperty("pecf.root"), "..", "shared", "data"));
    Path file = root.resolve(name).toAbsolutePath().normalize();
    Assumptions.assumeTrue(
        Files.exists(file), () -> "skipped: " + file + " is not there; set PECF_DATA");
    return file;
  }

  private JsonNode train(Path data, String... more) throws Exception {
    String[] arguments =
        Stream.of(new String[] {"--data", data.toString(), "--metrics-json", "m.json"}, more)
            .flatMap(Stream::of)
            .toArray(String[]::new);
    Distribution.in(folder).run(arguments).expectExit(0);
    return new ObjectMapper().readTree(folder.resolve("m.json").toFile());
  }

  private static double recall(JsonNode metrics, int cutoff) {
    return metrics.at("/metrics/test/recall@" + cutoff).asDouble();
  }

  private static String[] setting(String... more) {
    return Stream.of(SETTING, more).flatMap(Stream::of).toArray(String[]::new);
  }

  /** Prototype, positives 3:1:1: .364/.467/.571. */
  @Test
  void citeULikeIsWhatPrototypesMeasured() throws Exception {
    Path data = data("citeulike-a/users.dat");
    JsonNode single = train(data, setting("--rank", "150", "--construction", "single"));
    assertEquals(0.364, recall(single, 50), 0.01);
    assertEquals(0.467, recall(single, 100), 0.01);
    assertEquals(0.571, recall(single, 200), 0.01);
    JsonNode ensemble = train(data, setting("--rank", "150", "--rounds", "2"));
    double gain = recall(ensemble, 50) - recall(single, 50);
    assertTrue(gain >= 0.005, "two rounds of PECF gain only " + gain);
  }

  /** Prototype on the dense path, ranking all items but the training positives: .318/.429/.543. */
  @Test
  void thePaperSplitByExpectationComesNearTheExactOne() throws Exception {
    Path data = data("citeulike-a/users.dat");
    JsonNode single =
        train(
            data,
            setting(
                "--split",
                "paper",
                "--path",
                "corrected",
                "--rank",
                "50",
                "--construction",
                "single"));
    assertEquals(0.318, recall(single, 50), 0.012);
    assertEquals(0.429, recall(single, 100), 0.012);
    assertEquals(0.543, recall(single, 200), 0.012);
    assertTrue(single.at("/protocol/caveat").asText().startsWith("Caution"), single.toString());
  }

  /** At this setting the line search on training error leaves one member of five. */
  @Test
  void everyMemberCountsAtASettingWithAStrongPenalty() throws Exception {
    Path data = data("ml-100k/u.data");
    String[] strong = {
      "--positive",
      ">=4",
      "--rank",
      "50",
      "--rounds",
      "4",
      "--lambda",
      "10",
      "--confidence",
      "1:0.1",
      "--set",
      "wmf.frequency-exponent=1"
    };
    JsonNode metrics = train(data, strong);
    assertEquals(5, metrics.at("/rounds").size());
    for (JsonNode round : metrics.at("/rounds")) {
      assertTrue(round.get("weight").asDouble() > 0.02, round.toString());
    }
  }

  @Test
  void movieLensIsReadAndThresholded() throws Exception {
    Path data = data("ml-100k/u.data");
    JsonNode metrics =
        train(data, setting("--positive", ">=5", "--construction", "single", "--rank", "10"));
    assertEquals(21201, metrics.at("/data/positives").asInt());
    assertTrue(recall(metrics, 50) > 0.3, metrics.toString());
  }
}
