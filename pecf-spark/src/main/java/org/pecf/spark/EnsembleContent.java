package org.pecf.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.memory.Side;

/**
 * The content of a model.
 *
 * @param users the id and the features of every user: the factors of all members, side by side
 * @param items the id and the features of every item
 * @param reports how each member was trained and joined
 * @param options the settings of the training, by their names on the command line
 */
record EnsembleContent(
    Dataset<Row> users,
    Dataset<Row> items,
    List<MemberReport> reports,
    Map<String, String> options) {
  private static final StructType FEATURES =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("features", DataTypes.createArrayType(DataTypes.FloatType, false), false);

  private static final StructType OPTIONS =
      new StructType()
          .add("option", DataTypes.StringType, false)
          .add("value", DataTypes.StringType, false);

  /** Take the members of a training, whose factors stay in the executors. */
  static EnsembleContent of(
      SparkSession session,
      TrainingCells grid,
      EnsembleTraining.Trained trained,
      TrainingSettings settings) {
    return new EnsembleContent(
        features(session, grid, trained, Side.USERS, settings.rank()),
        features(session, grid, trained, Side.ITEMS, settings.rank()),
        trained.reports(),
        settings.options());
  }

  private static Dataset<Row> features(
      SparkSession session,
      TrainingCells grid,
      EnsembleTraining.Trained trained,
      Side side,
      int rank) {
    JavaRDD<Row> rows =
        grid.side(side)
            .ids()
            .zipPartitions(
                trained.side(side), (ids, blocks) -> rows(ids.next(), blocks.next(), rank));
    return session.createDataFrame(rows, FEATURES);
  }

  private static Iterator<Row> rows(long[] ids, FactorBlock[] members, int rank) {
    List<Row> rows = new ArrayList<>(ids.length);
    for (int k = 0; k < ids.length; k++) {
      Float[] features = new Float[members.length * rank];
      for (int m = 0; m < members.length; m++) {
        for (int c = 0; c < rank; c++) {
          features[m * rank + c] = members[m].rows()[k * rank + c];
        }
      }
      rows.add(RowFactory.create(ids[k], features));
    }
    return rows.iterator();
  }

  /** Return the power of a row's weight in its penalty. */
  double frequencyExponent() {
    return Double.parseDouble(options.get(TrainingSettings.EXPONENT));
  }

  /** Return the weight of each member. */
  double[] weights() {
    return MemberReport.weights(reports);
  }

  /** Store the content in a folder. */
  void write(String path) {
    users.write().parquet(path + "/users");
    items.write().parquet(path + "/items");
    users
        .sparkSession()
        .createDataFrame(
            IntStream.range(0, reports.size()).mapToObj(k -> reports.get(k).row(k)).toList(),
            MemberReport.TYPE)
        .coalesce(1)
        .write()
        .parquet(path + "/members");
    users
        .sparkSession()
        .createDataFrame(
            options.entrySet().stream()
                .map(option -> RowFactory.create(option.getKey(), option.getValue()))
                .toList(),
            OPTIONS)
        .coalesce(1)
        .write()
        .parquet(path + "/options");
  }

  /** Read the content of a folder. */
  static EnsembleContent read(SparkSession session, String path) {
    return new EnsembleContent(
        session.read().parquet(path + "/users"),
        session.read().parquet(path + "/items"),
        session.read().parquet(path + "/members").sort("member").collectAsList().stream()
            .map(MemberReport::of)
            .toList(),
        session.read().parquet(path + "/options").collectAsList().stream()
            .collect(Collectors.toMap(row -> row.getString(0), row -> row.getString(1))));
  }
}
