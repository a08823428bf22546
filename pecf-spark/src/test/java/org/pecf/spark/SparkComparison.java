package org.pecf.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * The comparison of a sweep on Spark with one of MLlib's ALS, in one process and on the same made
 * positives: medians of three repetitions. A sweep is a third of what a training of four takes
 * beyond one of one, so that the start counts for nothing.
 */
public final class SparkComparison {
  private static final int RANK = 64;
  private static final int SWEEPS = 4;
  private static final int BLOCKS = 2;
  private static final int REPETITIONS = 3;
  private static final int TASTES = 16;
  private static final int ALPHA = 19;
  private static final double REG_PARAM = 0.1;

  private final SparkSession session;
  private final AtomicLong shuffled = new AtomicLong();

  private SparkComparison(SparkSession session) {
    this.session = session;
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                shuffled.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
              }
            });
  }

  /**
   * The cost of something.
   *
   * @param processor seconds of all threads
   * @param wall seconds of the clock
   * @param shuffled bytes written for other tasks
   */
  private record Cost(double processor, double wall, double shuffled) {
    /** Return the cost of a sweep, given that of so many sweeps less. */
    Cost sweep(Cost fewer, int sweeps) {
      return new Cost(
          (processor - fewer.processor) / sweeps,
          (wall - fewer.wall) / sweeps,
          (shuffled - fewer.shuffled) / sweeps);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.1f s of processors, %.1f s, %.1f MB shuffled",
          processor,
          wall,
          shuffled / 1e6);
    }
  }

  /** Compare; the argument is the number of positives in millions. */
  public static void main(String[] arguments) {
    double millions = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 5;
    SparkSession session =
        Sessions.started(
            SparkSession.builder()
                .master("local[2]")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "localhost")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "2")
                .config("spark.default.parallelism", "2"));
    new SparkComparison(session).run(millions);
    session.stop();
  }

  private void run(double millions) {
    Dataset<Row> few = positives(0.2);
    Dataset<Row> all = positives(millions);
    long users = all.select("user").distinct().count();
    long items = all.select("item").distinct().count();
    long count = all.count();
    System.out.printf(
        Locale.ROOT,
        "%d users, %d items, %d positives, rank %d, %d blocks of a side, Spark %s, Java %s%n",
        users,
        items,
        count,
        RANK,
        BLOCKS,
        session.version(),
        Runtime.version());
    // The compiler of the virtual machine learns both.
    mllib(few, 3);
    pecf(few, 3, 1, 1, "scan");
    double lambda = 2 * REG_PARAM * count / users / (1 + ALPHA);
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    Measured theirs = new Measured(new Cost(0, 0, 0), List.of());
    Measured ours = theirs;
    for (int repetition = 1; repetition <= REPETITIONS; repetition++) {
      System.out.println("repetition " + repetition + " of " + REPETITIONS);
      Measured theirOne = mllib(all, 1);
      Measured ourOne = pecf(all, 1, 0, lambda, "none");
      theirs = mllib(all, SWEEPS);
      ours = pecf(all, SWEEPS, 0, lambda, "none");
      add(costs, "MLlib, a sweep", theirs.cost.sweep(theirOne.cost, SWEEPS - 1));
      add(costs, "PECF, a sweep", ours.cost.sweep(ourOne.cost, SWEEPS - 1));
      add(costs, "MLlib, one model of 4 sweeps", theirs.cost);
      add(costs, "PECF, 8 members of 4 sweeps, zeros not scanned", members(all, lambda, "none"));
      add(costs, "PECF, 8 members of 4 sweeps, zeros scanned", members(all, lambda, "scan"));
    }
    System.out.println();
    System.out.println("medians of " + REPETITIONS);
    List<Cost> medians = costs.values().stream().map(SparkComparison::median).toList();
    int at = 0;
    for (String name : costs.keySet()) {
      System.out.println(name + ": " + medians.get(at++));
    }
    System.out.printf(
        Locale.ROOT,
        "a sweep of PECF takes 1/%.2f of MLlib's processor time, and shuffles %.3f times as much%n",
        medians.get(0).processor / medians.get(1).processor,
        medians.get(1).shuffled / medians.get(0).shuffled);
    for (int k = 3; k < 5; k++) {
      System.out.printf(
          Locale.ROOT,
          "8 members, zeros %sscanned: %.2f times the wall time of a model of MLlib, %.2f times its"
              + " processor time%n",
          k == 3 ? "not " : "",
          medians.get(k).wall / medians.get(2).wall,
          medians.get(k).processor / medians.get(2).processor);
    }
    Objectives objectives = Objectives.of(all, ALPHA, REG_PARAM);
    System.out.println("after 4 sweeps, MLlib's objective: MLlib " + objectives.of(theirs));
    System.out.println("after 4 sweeps, MLlib's objective: PECF " + objectives.of(ours));
  }

  private static void add(Map<String, List<Cost>> costs, String name, Cost cost) {
    costs.computeIfAbsent(name, key -> new ArrayList<>()).add(cost);
  }

  private Cost members(Dataset<Row> ratings, double lambda, String hardZeros) {
    return pecf(ratings, SWEEPS, 7, lambda, hardZeros).cost;
  }

  /** Return the median of each kind of cost. */
  private static Cost median(List<Cost> costs) {
    return new Cost(
        median(costs.stream().mapToDouble(Cost::processor)),
        median(costs.stream().mapToDouble(Cost::wall)),
        median(costs.stream().mapToDouble(Cost::shuffled)));
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * A cost, and the factors that it was paid for.
   *
   * @param cost the cost
   * @param factors the columns id and features of users and of items
   */
  private record Measured(Cost cost, List<Dataset<Row>> factors) {}

  /**
   * MLlib's objective: {@code sum c (p - u.v)^2 + regParam (sum n_i |u_i|^2 + sum n_j |v_j|^2)}.
   */
  private record Objectives(int[] users, int[] items, int alpha, double regParam) {
    static Objectives of(Dataset<Row> ratings, int alpha, double regParam) {
      List<Row> rows = ratings.select("user", "item").collectAsList();
      return new Objectives(
          rows.stream().mapToInt(row -> row.getInt(0)).toArray(),
          rows.stream().mapToInt(row -> row.getInt(1)).toArray(),
          alpha,
          regParam);
    }

    String of(Measured measured) {
      Map<Integer, float[]> ofUsers = rows(measured.factors.get(0));
      Map<Integer, float[]> ofItems = rows(measured.factors.get(1));
      double positives = 0;
      double penalties = 0;
      for (int p = 0; p < users.length; p++) {
        float[] user = ofUsers.get(users[p]);
        float[] item = ofItems.get(items[p]);
        double score = dot(user, item);
        positives += (1 + alpha) * Math.pow(1 - score, 2) - score * score;
        penalties += regParam * (dot(user, user) + dot(item, item));
      }
      double[][] left = gramian(ofUsers);
      double[][] right = gramian(ofItems);
      double zeros = 0;
      for (int k = 0; k < RANK; k++) {
        for (int c = 0; c < RANK; c++) {
          zeros += left[k][c] * right[k][c];
        }
      }
      return String.format(
          Locale.ROOT, "%.6g, of which penalties %.6g", positives + zeros + penalties, penalties);
    }

    private static Map<Integer, float[]> rows(Dataset<Row> features) {
      Map<Integer, float[]> rows = new HashMap<>();
      for (Row row : features.select("id", "features").collectAsList()) {
        rows.put(((Number) row.get(0)).intValue(), FeatureBlock.floats(row.getList(1)));
      }
      return rows;
    }

    private static double dot(float[] left, float[] right) {
      double sum = 0;
      for (int k = 0; k < RANK; k++) {
        sum += (double) left[k] * right[k];
      }
      return sum;
    }

    private static double[][] gramian(Map<Integer, float[]> rows) {
      double[][] gramian = new double[RANK][RANK];
      for (float[] row : rows.values()) {
        for (int k = 0; k < RANK; k++) {
          for (int c = 0; c < RANK; c++) {
            gramian[k][c] += (double) row[k] * row[c];
          }
        }
      }
      return gramian;
    }
  }

  /** Make positives of users of a few tastes, some items much more popular than others. */
  private Dataset<Row> positives(double millions) {
    Dataset<Row> cells =
        session
            .range((long) (1.15e6 * millions))
            .selectExpr(
                "cast(pow(rand(1), 1.5) * 138000 as int) as user",
                "cast(pow(rand(2), 2.5) * 27000 / " + TASTES + " as int) * " + TASTES + " as base",
                "rand(3) as own",
                "cast(rand(4) * " + TASTES + " as int) as any")
            .selectExpr(
                "user",
                "base + case when own < 0.7 then user % " + TASTES + " else any end as item",
                "cast(1 as float) as rating")
            .dropDuplicates("user", "item")
            .limit((int) (1e6 * millions))
            .repartition(BLOCKS)
            .cache();
    cells.agg(functions.sum("rating")).collect();
    return cells;
  }

  private Measured mllib(Dataset<Row> ratings, int sweeps) {
    return measured(
        "MLlib, " + sweeps + " sweeps",
        () -> {
          ALSModel model =
              new ALS()
                  .setImplicitPrefs(true)
                  .setRank(RANK)
                  .setMaxIter(sweeps)
                  .setNumBlocks(BLOCKS)
                  .setAlpha(ALPHA)
                  .setRegParam(REG_PARAM)
                  .setSeed(1)
                  .setCheckpointInterval(-1)
                  .fit(ratings);
          return List.of(model.userFactors(), model.itemFactors());
        });
  }

  private Measured pecf(
      Dataset<Row> ratings, int sweeps, int rounds, double lambda, String hardZeros) {
    return measured(
        "PECF, " + (rounds + 1) + " members of " + sweeps + " sweeps, hardZeros " + hardZeros,
        () -> {
          PecfModel model =
              new Pecf()
                  .setRank(RANK)
                  .setIterations(sweeps)
                  .setRounds(rounds)
                  .setNumBlocks(BLOCKS)
                  .setPositiveWeight(1)
                  .setZeroWeight(1.0 / (1 + ALPHA))
                  .setLambda(lambda)
                  .setHardZeros(hardZeros)
                  .fit(ratings);
          return List.of(model.userFactors(), model.itemFactors());
        });
  }

  /** Measure work, and say so. */
  private Measured measured(String name, Supplier<List<Dataset<Row>>> work) {
    System.gc();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long bytes = shuffled.get();
    long processor = system.getProcessCpuTime();
    long wall = System.nanoTime();
    List<Dataset<Row>> factors = work.get();
    Cost cost =
        new Cost(
            (system.getProcessCpuTime() - processor) / 1e9,
            (System.nanoTime() - wall) / 1e9,
            shuffled.get() - bytes);
    System.out.println(name + ": " + cost);
    return new Measured(cost, factors);
  }
}
