package org.pecf.tools.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.data.DataRequest;
import org.pecf.data.DuplicatePolicy;
import org.pecf.data.PositiveRule;
import org.pecf.engine.run.Workspace;
import org.pecf.platform.plugin.ProviderChoice;

/**
 * A benchmark of loading a generated file of ratings, beside a mere scan for line ends on the same
 * threads. The file lies in a temporary folder and is deleted afterwards.
 */
public final class LoadingBenchmark {
  private static final int CHUNK_BYTES = 1 << 18;
  private static final int READ_BYTES = 1 << 16;

  private final Workspace workspace;
  private final int lines;
  private final int repetitions;
  private final Consumer<Measurement> output;

  /**
   * Set a benchmark up.
   *
   * @param workspace the memory and threads
   * @param lines how many ratings the file has
   * @param repetitions how often everything is repeated
   * @param output receives every measurement, the scan's first
   */
  public LoadingBenchmark(
      Workspace workspace, int lines, int repetitions, Consumer<Measurement> output) {
    this.workspace = workspace;
    this.lines = lines;
    this.repetitions = repetitions;
    this.output = output;
  }

  /**
   * Measure everything.
   *
   * @return the largest heap that was in use, in bytes
   */
  public long run() {
    try {
      Path folder = Files.createTempDirectory("pecf-bench");
      Path file = folder.resolve("ratings.csv");
      try {
        RatingsFile.write(file, lines);
        return run(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long run(Path file) throws IOException {
    heap().forEach(MemoryPoolMXBean::resetPeakUsage);
    long size = Files.size(file);
    measure("scan for line ends", size, () -> scan(file, size));
    RatingLoader loader = workspace.loaders().loader(ProviderChoice.of("csv"));
    DataSource source = new DataSource(file.toString());
    measure("parse into batches", size, () -> parse(loader, source));
    DataRequest request =
        new DataRequest(
            file.toString(),
            Optional.empty(),
            Optional.empty(),
            ProviderChoice.of("csv"),
            PositiveRule.parse(">=4"),
            0,
            0,
            DuplicatePolicy.LAST);
    measure("load a dataset", size, () -> workspace.load(request).close());
    return heap().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static List<MemoryPoolMXBean> heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  private void measure(String name, long bytes, Runnable something) {
    output.accept(Stopwatch.best(name, bytes, "byte", repetitions, something));
  }

  /** Count line feeds with the plainest loop, on bytes read as the loader reads them. */
  private void scan(Path file, long size) {
    byte[][] buffers = new byte[workspace.pool().threads()][CHUNK_BYTES];
    LongAdder found = new LongAdder();
    workspace
        .pool()
        .forEach(
            (int) ((size + CHUNK_BYTES - 1) / CHUNK_BYTES),
            (chunk, worker) -> {
              long offset = (long) chunk * CHUNK_BYTES;
              int length = (int) Math.min(CHUNK_BYTES, size - offset);
              read(file, offset, buffers[worker], length);
              found.add(lineFeeds(buffers[worker], length));
            });
    if (found.sum() != lines + 1L) {
      throw new IllegalStateException("found " + found.sum() + " lines");
    }
  }

  private static void read(Path file, long offset, byte[] buffer, int length) {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer target = ByteBuffer.wrap(buffer);
      while (target.position() < length) {
        target.limit(Math.min(length, target.position() + READ_BYTES));
        channel.read(target, offset + target.position());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int lineFeeds(byte[] bytes, int length) {
    int count = 0;
    for (int k = 0; k < length; k++) {
      if (bytes[k] == '\n') {
        count++;
      }
    }
    return count;
  }

  /** Read all ratings into Arrow vectors and keep them until the end. */
  private void parse(RatingLoader loader, DataSource source) {
    List<RatingBatch> batches = Collections.synchronizedList(new ArrayList<>());
    try {
      loader.load(
          source,
          new RatingSink() {
            @Override
            public RatingBatch batch(RatingSchema schema, int capacity) {
              return RatingBatch.allocate(workspace.allocator(), schema, capacity);
            }

            @Override
            public void publish(long ordinal, RatingBatch batch, int count) {
              batches.add(batch);
            }
          },
          workspace.context());
    } finally {
      batches.forEach(RatingBatch::close);
    }
  }
}
