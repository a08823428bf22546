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
  private static final String[] SETTING = {
    "--split",
    "paper",
    "--lambda",
    "0.2",
    "--confidence",
    "1:0.01",
    "--iterations",
    "8",
    "--path",
    "corrected"
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
        Stream.of(
                SETTING, new String[] {"--data", data.toString(), "--metrics-json", "m.json"}, more)
            .flatMap(Stream::of)
            .toArray(String[]::new);
    Distribution.in(folder).run(arguments).expectExit(0);
    return new ObjectMapper().readTree(folder.resolve("m.json").toFile());
  }

  private static double recall(JsonNode metrics, int cutoff) {
    return metrics.at("/metrics/test/recall@" + cutoff).asDouble();
  }

  /** Prototype: .320/.432/.548 for one filter; after two rounds of PECF .363/.474/.584 (exact). */
  @Test
  void citeULikeAtRankFiftyIsWhatPrototypesMeasured() throws Exception {
    Path data = data("citeulike-a/users.dat");
    JsonNode single = train(data, "--rank", "50", "--construction", "single");
    assertEquals(0.320, recall(single, 50), 0.012);
    assertEquals(0.432, recall(single, 100), 0.012);
    assertEquals(0.548, recall(single, 200), 0.012);
    JsonNode ensemble =
        train(data, "--rank", "50", "--construction", "progressive", "--rounds", "2");
    double gain = recall(ensemble, 50) - recall(single, 50);
    assertTrue(gain >= 0.03, "two rounds of PECF gain only " + gain);
  }

  @Test
  void movieLensIsReadAndThresholded() throws Exception {
    Path data = data("ml-100k/u.data");
    JsonNode metrics = train(data, "--positive", ">=5", "--construction", "single", "--rank", "10");
    assertEquals(21201, metrics.at("/data/positives").asInt());
    assertTrue(recall(metrics, 50) > 0.3, metrics.toString());
  }
}
