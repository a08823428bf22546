package org.pecf.benchmarks.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.benchmarks.peer.Factors;
import org.pecf.benchmarks.peer.Peer;
import org.pecf.benchmarks.peer.Positives;

/** MLlib's alternating least squares for implicit feedback, one block per thread. */
public final class SparkPeer implements Peer {
  private static final int THREADS = 2;

  private final SparkSession session =
      SparkSession.builder()
          .master("local[" + THREADS + "]")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", THREADS)
          .config("spark.default.parallelism", THREADS)
          .getOrCreate();
  private Dataset<Row> ratings;
  private Positives positives;
  private int rank;
  private ALSModel model;

  @Override
  public String name() {
    return "Spark MLlib " + session.version() + " ALS, implicit";
  }

  @Override
  public void load(Path file, Positives loaded, int factors) {
    session.sparkContext().setLogLevel("ERROR");
    positives = loaded;
    rank = factors;
    List<Row> rows = new ArrayList<>();
    for (int k = 0; k < positives.count(); k++) {
      rows.add(RowFactory.create(positives.userOf()[k], positives.itemOf()[k], 1f));
    }
    StructType type =
        new StructType()
            .add("user", DataTypes.IntegerType, false)
            .add("item", DataTypes.IntegerType, false)
            .add("rating", DataTypes.FloatType, false);
    ratings = session.createDataFrame(rows, type).repartition(THREADS).cache();
    ratings.count();
  }

  @Override
  public void train(int sweeps) {
    model =
        new ALS()
            .setImplicitPrefs(true)
            .setRank(rank)
            .setMaxIter(sweeps)
            .setNumBlocks(THREADS)
            .setAlpha(19)
            .setRegParam(0.1)
            .setSeed(1)
            .setCheckpointInterval(-1)
            .fit(ratings);
  }

  @Override
  public Factors factors() {
    Factors factors = Factors.zeros(positives.users(), positives.items(), rank);
    copy(model.userFactors(), factors.users());
    copy(model.itemFactors(), factors.items());
    return factors;
  }

  private static void copy(Dataset<Row> source, float[][] rows) {
    for (Row row : source.collectAsList()) {
      List<Float> values = row.getList(1);
      for (int k = 0; k < values.size(); k++) {
        rows[row.getInt(0)][k] = values.get(k);
      }
    }
  }

  @Override
  public void close() {
    session.stop();
  }
}
