package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An executor that is lost in the middle of a sweep costs time, and changes no bit. */
class LostExecutorIT {
  private static final Pattern LOST = Pattern.compile("killed (\\d+) removed (\\d+) failed (\\d+)");
  private static final Pattern CHECKSUM = Pattern.compile("checksum (\\d+)");

  @TempDir static Path folder;

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  @Test
  void theBitsAreThoseOfOneProcess() throws Exception {
    long expected = ClusterMain.checksum(Sessions.local());
    String classes =
        Path.of("target/test-classes").toAbsolutePath() + File.pathSeparator + SparkHome.assembly();
    String output =
        SparkHome.in(folder)
            .submit(
                15,
                "--master",
                "local-cluster[2,1,2048]",
                "--driver-class-path",
                classes,
                "--conf",
                "spark.executor.extraClassPath=" + classes,
                "--conf",
                "spark.executor.memory=1g",
                // Blocks of the lost executor are not asked for again and again.
                "--conf",
                "spark.shuffle.io.maxRetries=1",
                "--conf",
                "spark.shuffle.io.retryWait=1s",
                "--class",
                ClusterMain.class.getName(),
                SparkHome.assembly().toString());
    Matcher lost = LOST.matcher(output);
    assertTrue(lost.find(), output);
    assertEquals("1", lost.group(1), output);
    assertTrue(Integer.parseInt(lost.group(2)) > 0, output);
    assertTrue(Integer.parseInt(lost.group(3)) > 0, output);
    Matcher checksum = CHECKSUM.matcher(output);
    assertTrue(checksum.find(), output);
    assertEquals(expected, Long.parseLong(checksum.group(1)), output);
  }
}
