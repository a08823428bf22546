package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/**
 * The engine and Spark train the same ensemble on the five-star ratings of MovieLens 1M, each with
 * its default settings, and find as many of the positives that were held out.
 */
class EngineComparisonIT {
  private static final int CUTOFF = 50;
  private static final int RANK = 32;

  /** How much more is found than a random list would hold, at least. */
  private static final double TIMES_CHANCE = 10;

  @TempDir Path folder;

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  /** Return the items of each user. */
  private static Map<Integer, Set<Integer>> lines(Path file) throws IOException {
    Map<Integer, Set<Integer>> items = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] numbers = line.trim().split("\\s+");
      for (int k = 1; k < numbers.length; k++) {
        items
            .computeIfAbsent(Integer.parseInt(numbers[0]), user -> new HashSet<>())
            .add(Integer.parseInt(numbers[k]));
      }
    }
    return items;
  }

  @Test
  void defaultTrainingsFindTheSame() throws Exception {
    String data = System.getenv("PECF_DATA");
    assumeTrue(data != null, "PECF_DATA does not name a folder of data");
    Path source = Path.of(data, "ml-1m-fivestar");
    assumeTrue(Files.isDirectory(source), source + " is not there");
    Map<Integer, Set<Integer>> training = lines(source.resolve("train_users.dat"));
    Map<Integer, Set<Integer>> heldOut = lines(source.resolve("test_users.dat"));
    List<Row> rows = new ArrayList<>();
    StringBuilder csv = new StringBuilder("user,item\n");
    training.forEach(
        (user, items) ->
            items.forEach(
                item -> {
                  rows.add(RowFactory.create((long) user, (long) item));
                  csv.append(user).append(',').append(item).append('\n');
                }));
    SparkSession session = Sessions.local();
    StructType type =
        new StructType()
            .add("user", DataTypes.LongType, false)
            .add("item", DataTypes.LongType, false);
    Map<String, Double> recalls = new HashMap<>();
    for (String hardZeros : List.of("auto", "none")) {
      PecfModel model =
          new Pecf()
              .setRank(RANK)
              .setRounds(3)
              .setHardZeros(hardZeros)
              .fit(session.createDataFrame(rows, type));
      recalls.put(hardZeros, recall(folded(model), training, heldOut));
      model.reports().forEach(report -> System.out.println(hardZeros + ": " + report));
    }
    Path file = Files.writeString(folder.resolve("training.csv"), csv);
    try (TrainingResult result =
        Training.on(file.toString())
            .split("none")
            .option("rank", Integer.toString(RANK))
            .option("rounds", "3")
            .option("backend", "cpu")
            .option("path", "corrected")
            .run()) {
      recalls.put("engine", recall(folded(result), training, heldOut));
    }
    System.out.println("Recall@" + CUTOFF + ": " + recalls);
    long items = training.values().stream().flatMap(Set::stream).distinct().count();
    assertTrue(recalls.get("engine") > TIMES_CHANCE * CUTOFF / items, recalls.toString());
    assertEquals(recalls.get("engine"), recalls.get("auto"), 5e-4);
    assertEquals(recalls.get("engine"), recalls.get("none"), 0.01);
  }

  /** The factors of all members by id, those of items times the members' weights. */
  private record Folded(Map<Integer, float[]> users, Map<Integer, float[]> items) {}

  private static Folded folded(PecfModel model) {
    Folded folded = new Folded(new HashMap<>(), new HashMap<>());
    double[] weights = model.memberWeights();
    model
        .userFactors()
        .collectAsList()
        .forEach(
            row -> folded.users.put((int) row.getLong(0), FeatureBlock.floats(row.getList(1))));
    for (Row row : model.itemFactors().collectAsList()) {
      float[] features = FeatureBlock.floats(row.getList(1));
      for (int k = 0; k < features.length; k++) {
        features[k] *= (float) weights[k / RANK];
      }
      folded.items.put((int) row.getLong(0), features);
    }
    return folded;
  }

  private static Folded folded(TrainingResult result) {
    Folded folded = new Folded(new HashMap<>(), new HashMap<>());
    Ensemble ensemble = result.ensemble();
    double[] weights = ensemble.weights();
    for (int k = 0; k < weights.length; k++) {
      FactorModel model = (FactorModel) ensemble.members().get(k).model();
      for (int user = 0; user < model.users().rows(); user++) {
        int id = (int) result.dataset().users().integerAt(user);
        put(folded.users, id, k, weights.length, model.users(), user, 1);
      }
      for (int item = 0; item < model.items().rows(); item++) {
        int id = (int) result.dataset().items().integerAt(item);
        put(folded.items, id, k, weights.length, model.items(), item, weights[k]);
      }
    }
    return folded;
  }

  private static void put(
      Map<Integer, float[]> rows,
      int id,
      int member,
      int members,
      FloatMatrix matrix,
      int row,
      double weight) {
    float[] features = rows.computeIfAbsent(id, key -> new float[members * RANK]);
    for (int c = 0; c < RANK; c++) {
      features[member * RANK + c] = (float) (weight * matrix.get(row, c));
    }
  }

  /** Return the mean share of a user's held-out positives among the best unknown items. */
  private static double recall(
      Folded model, Map<Integer, Set<Integer>> training, Map<Integer, Set<Integer>> heldOut) {
    int[] ids = model.items.keySet().stream().mapToInt(id -> id).sorted().toArray();
    double sum = 0;
    int users = 0;
    for (Map.Entry<Integer, float[]> user : model.users.entrySet()) {
      Set<Integer> wanted = heldOut.getOrDefault(user.getKey(), Set.of());
      if (wanted.isEmpty()) {
        continue;
      }
      Set<Integer> known = training.get(user.getKey());
      List<double[]> scored = new ArrayList<>();
      for (int id : ids) {
        if (!known.contains(id)) {
          double score = 0;
          float[] item = model.items.get(id);
          for (int k = 0; k < item.length; k++) {
            score += (double) user.getValue()[k] * item[k];
          }
          scored.add(new double[] {score, id});
        }
      }
      scored.sort((left, right) -> Double.compare(right[0], left[0]));
      long hits =
          scored.stream().limit(CUTOFF).filter(entry -> wanted.contains((int) entry[1])).count();
      sum += (double) hits / wanted.size();
      users++;
    }
    return sum / users;
  }
}
