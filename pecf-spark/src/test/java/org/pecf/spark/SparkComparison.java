package org.pecf.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * The comparison of a sweep on Spark with one of MLlib's ALS, in one process and on the same made
 * positives. A sweep is a third of what a training of four takes beyond one of one, so that the
 * start counts for nothing.
 */
public final class SparkComparison {
  private static final int RANK = 64;
  private static final int SWEEPS = 4;
  private static final int BLOCKS = 2;
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
        Locale.ROOT, "%d users, %d items, %d positives, rank %d%n", users, items, count, RANK);
    // The compiler of the virtual machine learns both.
    mllib(few, 3);
    pecf(few, 3, 1, 1);
    double lambda = 2 * REG_PARAM * count / users / (1 + ALPHA);
    Cost theirOne = mllib(all, 1);
    Cost ourOne = pecf(all, 1, 0, lambda);
    Cost theirs = mllib(all, SWEEPS);
    Cost ours = pecf(all, SWEEPS, 0, lambda);
    Cost theirSweep = theirs.sweep(theirOne, SWEEPS - 1);
    Cost ourSweep = ours.sweep(ourOne, SWEEPS - 1);
    System.out.println("a sweep of MLlib: " + theirSweep);
    System.out.println("a sweep of PECF: " + ourSweep);
    System.out.printf(
        Locale.ROOT,
        "PECF takes 1/%.2f of the processor time, and shuffles %.2f times as much%n",
        theirSweep.processor / ourSweep.processor,
        ourSweep.shuffled / theirSweep.shuffled);
    Cost members = pecf(all, SWEEPS, 7, lambda);
    System.out.printf(
        Locale.ROOT,
        "8 members take %.2f times the wall time of one model of MLlib, %.2f times its processor"
            + " time%n",
        members.wall / theirs.wall,
        members.processor / theirs.processor);
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

  private Cost mllib(Dataset<Row> ratings, int sweeps) {
    return cost(
        "MLlib, " + sweeps + " sweeps",
        () ->
            new ALS()
                .setImplicitPrefs(true)
                .setRank(RANK)
                .setMaxIter(sweeps)
                .setNumBlocks(BLOCKS)
                .setAlpha(ALPHA)
                .setRegParam(REG_PARAM)
                .setSeed(1)
                .setCheckpointInterval(-1)
                .fit(ratings));
  }

  private Cost pecf(Dataset<Row> ratings, int sweeps, int rounds, double lambda) {
    return cost(
        "PECF, " + (rounds + 1) + " members of " + sweeps + " sweeps",
        () ->
            new Pecf()
                .setRank(RANK)
                .setIterations(sweeps)
                .setRounds(rounds)
                .setNumBlocks(BLOCKS)
                .setPositiveWeight(1)
                .setZeroWeight(1.0 / (1 + ALPHA))
                .setLambda(lambda)
                .fit(ratings));
  }

  /** Measure work, and say so. */
  private Cost cost(String name, Runnable work) {
    System.gc();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long bytes = shuffled.get();
    long processor = system.getProcessCpuTime();
    long wall = System.nanoTime();
    work.run();
    Cost cost =
        new Cost(
            (system.getProcessCpuTime() - processor) / 1e9,
            (System.nanoTime() - wall) / 1e9,
            shuffled.get() - bytes);
    System.out.println(name + ": " + cost);
    return cost;
  }
}
