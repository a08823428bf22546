package org.pecf.benchmarks.micro;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;

/** Time the loading of a generated file of ratings, beside merely counting its lines. */
@State(Scope.Benchmark)
public class LoadingBenchmark extends KernelBenchmark {
  private static final int ITEMS = 26_744;
  private static final int RATINGS_OF_USER = 144;

  /** How many ratings. */
  @Param("2000000")
  public int lines;

  private Path file;

  /** Write ratings as MovieLens does: by user, then by item, halves of stars, seconds. */
  @Setup(Level.Trial)
  public void write() throws IOException {
    file = Files.createTempFile("pecf-ratings", ".csv");
    SplittableRandom random = new SplittableRandom(1);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("userId,movieId,rating,timestamp\n");
      int item = 0;
      for (int line = 0; line < lines; line++) {
        item = line % RATINGS_OF_USER == 0 ? 0 : item;
        item += 1 + random.nextInt(2 * ITEMS / RATINGS_OF_USER - 1);
        out.write(
            (1 + line / RATINGS_OF_USER)
                + ","
                + item
                + ","
                + (1 + random.nextInt(9)) / 2.0
                + ","
                + (789_652_009L + random.nextInt(600_000_000))
                + "\n");
      }
    }
  }

  /** Load a dataset. */
  @Benchmark
  public int load(KernelState state) {
    try (Dataset loaded = state.workspace.load(DataRequest.of(file.toString()))) {
      return loaded.positives().count();
    }
  }

  /** Count lines. */
  @Benchmark
  public long count() {
    try (Stream<String> read = Files.lines(file)) {
      return read.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Delete the file. */
  @TearDown(Level.Trial)
  public void delete() throws IOException {
    Files.delete(file);
  }
}
