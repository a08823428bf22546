package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.model.ModelStore;

/** The command of docs/spark.md trains, measures and keeps an ensemble. */
class SparkSubmitIT {
  private static final Pattern RECALL =
      Pattern.compile("recall@20 (0\\.\\d+) \\(standard error 0\\.\\d+\\)");

  @TempDir static Path folder;

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  /** Return the arguments of the command in the documentation. */
  private static List<String> documented() throws Exception {
    Matcher block =
        Pattern.compile("```sh\nspark-submit (--master [^`]*TrainingApplication[^`]*)```")
            .matcher(Files.readString(Path.of("../docs/spark.md")));
    assertTrue(block.find(), "a command in docs/spark.md");
    List<String> arguments = new ArrayList<>();
    for (String word : block.group(1).replace("\\\n", " ").strip().split("\\s+")) {
      arguments.add(word.replace("'", ""));
    }
    return arguments;
  }

  @Test
  void aWholeTraining() throws Exception {
    List<String> arguments = documented();
    Positives positives = Positives.of(900, 400, 12);
    SparkHome home = SparkHome.in(folder);
    List<String> lines = new ArrayList<>(List.of("user,item,rating"));
    positives.cells().forEach(cell -> lines.add(cell[0] + "," + cell[1] + ",5"));
    Files.write(home.folder().resolve("ratings.csv"), lines);
    Path checkpoints = home.folder().resolve("checkpoints");
    for (int k = 0; k < arguments.size(); k++) {
      if (arguments.get(k).endsWith("-assembly.jar")) {
        arguments.set(k, SparkHome.assembly().toString());
      }
    }
    arguments.addAll(0, List.of("--conf", "spark.checkpoint.dir=" + checkpoints));
    arguments.addAll(0, List.of("--conf", "spark.sql.shuffle.partitions=2"));
    String output = home.submit(10, arguments.toArray(String[]::new));
    Matcher recall = RECALL.matcher(output);
    assertTrue(recall.find(), output);
    // Chance finds 20 of 400 items.
    assertTrue(Double.parseDouble(recall.group(1)) > 0.1, output);
    assertTrue(ModelStore.describe(home.folder().resolve("model")).complete(), output);
    // Checkpoints are deleted when the application ends.
    try (Stream<Path> files = Files.walk(checkpoints)) {
      assertEquals(List.of(), files.filter(Files::isRegularFile).toList());
    }
    SparkSession session = Sessions.local();
    PecfModel stored = PecfModel.load(home.folder().resolve("stored").toString());
    assertEquals(5, stored.members());
    assertEquals(
        stored.userFactors().count(),
        session.read().parquet(home.folder().resolve("lists").toString()).count());
  }

  @Test
  void aMistakeIsOneSentence() throws Exception {
    SparkHome home = SparkHome.in(folder);
    String output =
        assertThrows(
                AssertionError.class,
                () ->
                    home.submit(
                        10,
                        "--class",
                        TrainingApplication.class.getName(),
                        SparkHome.assembly().toString(),
                        "--split",
                        "none"))
            .getMessage();
    assertTrue(output.contains("error: Training on Spark has no option --split."), output);
    assertFalse(output.contains("Exception in thread"), output);
  }
}
