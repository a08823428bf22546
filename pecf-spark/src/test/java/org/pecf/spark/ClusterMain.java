package org.pecf.spark;

import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.pecf.api.memory.Side;
import scala.jdk.javaapi.CollectionConverters;

/** Train on a cluster of processes of this machine and kill one of them in the middle. */
public final class ClusterMain {
  /** The half-sweep in which an executor is killed. */
  private static final String KILLED_IN = MemberSweeps.halfSweep(0, 2, Side.ITEMS);

  private ClusterMain() {}

  /** Train, and print a line of what was lost and a checksum of the factors. */
  public static void main(String[] arguments) {
    SparkSession session = Sessions.started(Sessions.builder("local-cluster[2,1,2048]"));
    Killer killer = new Killer();
    session.sparkContext().addSparkListener(killer);
    long sum = checksum(session);
    session.stop();
    System.out.println(
        "killed " + killer.killed + " removed " + killer.removed + " failed " + killer.failed);
    System.out.println("checksum " + sum);
  }

  /** Return a checksum of the factors of an ensemble. */
  static long checksum(SparkSession session) {
    PecfModel model =
        new Pecf()
            .setRank(33)
            .setRounds(1)
            .setIterations(4)
            .setNumBlocks(6)
            .fit(Positives.of(8800, 1300, 3).dataset(session));
    CRC32 sum = new CRC32();
    for (var features : List.of(model.userFactors(), model.itemFactors())) {
      for (Row row : features.sort("id").collectAsList()) {
        sum.update(Arrays.toString(FeatureBlock.floats(row.getList(1))).getBytes());
      }
    }
    return sum.getValue();
  }

  /** The listener that kills an executor as soon as a task of a certain half-sweep has started. */
  private static final class Killer extends SparkListener {
    private volatile int stage = -1;
    private volatile int killed;
    private volatile int removed;
    private volatile int failed;

    @Override
    public void onJobStart(SparkListenerJobStart event) {
      if (event.properties().getProperty(Jobs.DESCRIPTION, "").endsWith(KILLED_IN)) {
        // The last stage is the one that solves; those before it send rows.
        stage =
            CollectionConverters.asJava(event.stageInfos()).stream()
                .mapToInt(StageInfo::stageId)
                .max()
                .orElseThrow();
      }
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart event) {
      if (event.stageId() == stage && killed == 0) {
        killed =
            (int)
                ProcessHandle.current()
                    .descendants()
                    .filter(ClusterMain::isExecutor)
                    .limit(1)
                    .filter(ProcessHandle::destroyForcibly)
                    .count();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      removed++;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd event) {
      if (!event.taskInfo().successful()) {
        failed++;
      }
    }
  }

  private static boolean isExecutor(ProcessHandle process) {
    return process
        .info()
        .commandLine()
        .filter(line -> line.contains("CoarseGrainedExecutorBackend"))
        .isPresent();
  }
}
