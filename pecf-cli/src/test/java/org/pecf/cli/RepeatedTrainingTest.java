package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.data.Part;
import org.pecf.engine.run.Training;
import org.pecf.engine.run.TrainingResult;

/** Two hundred trainings in one process, which leave nothing behind. */
class RepeatedTrainingTest {
  private static final int TRAININGS = 200;

  /** The trainings until all classes are loaded and all caches are full. */
  private static final int WARM = 50;

  /** Far less than what one training takes, times those that follow. */
  private static final long SLACK = 4 << 20;

  @TempDir private Path folder;

  /** The things that a training could leave behind. */
  private record Holdings(long heapBytes, int threads, long files) {
    static Holdings now() {
      long least = Long.MAX_VALUE;
      for (int k = 0; k < 3; k++) {
        System.gc();
        least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
      }
      long files =
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
              ? unix.getOpenFileDescriptorCount()
              : 0;
      return new Holdings(least, Thread.activeCount(), files);
    }
  }

  @Test
  void memoryThreadsAndFilesStayTheSame() throws IOException {
    StringBuilder rows = new StringBuilder("user,item\n");
    for (int k = 0; k < 600; k++) {
      rows.append(k % 50).append(',').append(k * k % 41).append('\n');
    }
    Path data = Files.writeString(folder.resolve("ratings.csv"), rows);
    String first = train(data);
    for (int k = 1; k < WARM; k++) {
      train(data);
    }
    Holdings warm = Holdings.now();
    for (int k = WARM; k < TRAININGS; k++) {
      assertEquals(first, train(data), "training " + k + " differs from the first");
    }
    Holdings end = Holdings.now();
    // Threads of the JVM's own, such as those that wait for other processes, may have ended.
    assertTrue(end.threads() <= warm.threads(), warm + " grew to " + end);
    assertEquals(warm.files(), end.files());
    assertTrue(end.heapBytes() - warm.heapBytes() < SLACK, warm + " grew to " + end);
  }

  /** Train, store, and return the metrics; closing the result fails if off-heap memory is left. */
  private String train(Path data) {
    try (TrainingResult result =
        Training.on(data.toString())
            .option("format", "csv")
            .option("rank", "4")
            .option("iterations", "2")
            .option("threads", "2")
            .option("backend", "cpu")
            .rounds(2)
            .run()) {
      result.save(folder.resolve("model"), true, Instant.EPOCH);
      return result.reports().get(Part.TEST).named().toString();
    }
  }
}
