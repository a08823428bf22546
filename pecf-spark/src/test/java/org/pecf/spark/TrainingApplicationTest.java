package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.PecfException;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;

class TrainingApplicationTest {
  private static final Positives POSITIVES = Positives.of(600, 300, 8);

  @TempDir static Path folder;

  @BeforeAll
  static void write() throws Exception {
    List<String> lines = new ArrayList<>(List.of("user,item,rating"));
    POSITIVES.cells().forEach(cell -> lines.add(cell[0] + "," + cell[1] + ",5"));
    Files.write(folder.resolve("ratings.csv"), lines);
  }

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  /** Train, with # for the folder of the test. */
  private static void train(String options) {
    TrainingApplication.of(options.replace("#", folder + "/").split(" ")).run(Sessions.local());
  }

  private static void trainShortly(String options) {
    train("--data #ratings.csv --rank 4 --rounds 1 --iterations 2 --blocks 2 " + options);
  }

  private static int all() {
    return POSITIVES.cells().size();
  }

  /** Return how many positives a stored model was trained on, and how many others it knows. */
  private static List<Integer> known(String model) {
    try (BufferAllocator allocator = new RootAllocator();
        StoredModel stored = ModelStore.open(folder.resolve(model), allocator)) {
      return List.of(stored.training().count(), stored.alsoKnown().count());
    }
  }

  @Test
  void whatWasHeldOutIsKnownButNotTrained() {
    trainShortly("--hard-zeros none --cutoff 5 --out #part");
    List<Integer> known = known("part");
    assertEquals(0.1, known.get(1) / (double) all(), 0.02);
    assertTrue(known.get(0) + known.get(1) <= all(), known.toString());
  }

  @ParameterizedTest
  @CsvSource({"hold-out, 0", "refit, true"})
  void aKeptModelMaySeeAllPositives(String option, String value) {
    trainShortly("--%1$s %2$s --out #%1$s".formatted(option, value));
    assertEquals(List.of(all(), 0), known(option));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--data #nothing.csv | nothing.csv cannot be read",
        "--data #ratings.csv --rank 0 | --rank cannot be '0'",
        "--data #ratings.csv --blocks 9999999999 | --blocks cannot be '9999999999'",
        "--data #ratings.csv --confidence 1:0 | --confidence cannot be '0'",
        "--data #ratings.csv --hold-out 1 | The share that is held out is '1'",
        "--data #ratings.csv --cutoff 0 | Lists of '0' items",
        "--data #ratings.csv --refit yes | --refit is 'yes'",
        "--data #ratings.csv --store #ratings.csv | ratings.csv exists already",
        "--data #ratings.csv --lists #ratings.csv | ratings.csv exists already",
        "--data #ratings.csv --out #ratings.csv | ratings.csv"
      })
  void mistakesAreNamed(String options, String words) {
    String message = assertThrows(PecfException.class, () -> train(options)).getMessage();
    assertTrue(message.contains(words), message);
  }
}
