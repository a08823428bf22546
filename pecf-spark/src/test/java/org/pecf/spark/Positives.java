package org.pecf.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Positives of users and items of a few tastes, some items much more popular than others.
 *
 * @param cells the user and the item of each, ascending
 */
record Positives(List<int[]> cells) {
  private static final int TASTES = 8;

  static Positives of(int users, int items, int each) {
    SplittableRandom random = new SplittableRandom(7);
    List<int[]> cells = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      TreeSet<Integer> chosen = new TreeSet<>();
      int count = 1 + random.nextInt(2 * each);
      while (chosen.size() < count) {
        double skewed = random.nextDouble() * random.nextDouble();
        int item = (int) (skewed * items / TASTES) * TASTES;
        item += random.nextInt(4) == 0 ? random.nextInt(TASTES) : user % TASTES;
        chosen.add(Math.min(items - 1, item));
      }
      for (int item : chosen) {
        // Ids that are no indexes.
        cells.add(new int[] {10 + 3 * user, 1000 + 2 * item});
      }
    }
    return new Positives(cells);
  }

  /** Return the positives as a dataset, in another order. */
  Dataset<Row> dataset(SparkSession session) {
    List<Row> rows = new ArrayList<>();
    for (int k = cells.size() - 1; k >= 0; k--) {
      rows.add(RowFactory.create(cells.get(k)[0], cells.get(k)[1], 1f));
    }
    return session.createDataFrame(
        rows,
        new StructType()
            .add("user", DataTypes.IntegerType, false)
            .add("item", DataTypes.IntegerType, false)
            .add("rating", DataTypes.FloatType, false));
  }

  /** Write the positives as a table for the engine. */
  Path write(Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of("user,item"));
    cells.forEach(cell -> lines.add(cell[0] + "," + cell[1]));
    return Files.write(file, lines);
  }
}
