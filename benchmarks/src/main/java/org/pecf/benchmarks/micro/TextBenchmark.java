package org.pecf.benchmarks.micro;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.RootAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;

/**
 * Time the reading of text on one thread: the csv loader beside FastCSV. Ids are known to be
 * integers, so that nothing is kept until the whole file has shown that they are.
 */
@State(Scope.Benchmark)
public class TextBenchmark extends KernelBenchmark {
  /** How many lines. */
  @Param("10000000")
  public int lines;

  /** How many columns, out of user, item and rating. */
  @Param({"2", "3"})
  public int columns;

  private Path file;

  /** Write lines that are grouped by user. */
  @Setup(Level.Trial)
  public void write() throws IOException {
    file = Files.createTempFile("pecf-lines", ".csv");
    SplittableRandom random = new SplittableRandom(1);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int line = 0; line < lines; line++) {
        String rating = columns < 3 ? "" : "," + (1 + random.nextInt(9)) / 2.0;
        out.write((1 + line / 144) + "," + (1 + random.nextInt(26_744)) + rating + "\n");
      }
    }
  }

  /** Read by the loader into batches, which are dropped. */
  @Benchmark
  public long pecf() {
    try (RootAllocator memory = new RootAllocator()) {
      Dropped dropped = new Dropped(memory, new AtomicLong());
      csv(provider())
          .load(
              new DataSource(file.toString()),
              dropped,
              new RunContext(memory, new OneThread(), () -> false, event -> {}));
      return dropped.count.get();
    }
  }

  private static RatingLoaderProvider<?> provider() {
    return ServiceLoader.load(RatingLoaderProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.describe().id().equals("csv"))
        .findFirst()
        .orElseThrow();
  }

  private static <O extends Record> RatingLoader csv(RatingLoaderProvider<O> provider) {
    return provider.create(provider.options().bind("csv", Map.of("ids", "integer")));
  }

  /** Read by FastCSV, without checks, into arrays that are overwritten. */
  @Benchmark
  public long fastCsv() throws IOException {
    Columns read = new Columns();
    try (CsvReader<Boolean> reader =
        CsvReader.builder().build(read, file, StandardCharsets.ISO_8859_1)) {
      return reader.stream().count();
    }
  }

  /** Delete the file. */
  @TearDown(Level.Trial)
  public void delete() throws IOException {
    Files.delete(file);
  }

  private static final class Columns extends AbstractBaseCsvCallbackHandler<Boolean> {
    private static final int MASK = (1 << 15) - 1;

    private final long[] ids = new long[2 * MASK + 2];
    private final float[] ratings = new float[MASK + 1];
    private int row;

    @Override
    protected void handleField(int field, char[] text, int from, int length, boolean quoted) {
      int whole = 0;
      int point = length;
      for (int i = 0; i < length; i++) {
        if (text[from + i] == '.') {
          point = i + 1;
        } else {
          whole = whole * 10 + text[from + i] - '0';
        }
      }
      if (field < 2) {
        ids[2 * (row & MASK) + field] = whole;
      } else {
        ratings[row & MASK] = whole / (point == length ? 1f : 10f);
      }
    }

    @Override
    protected Boolean buildRecord() {
      row++;
      return true;
    }
  }

  private record Dropped(RootAllocator memory, AtomicLong count) implements RatingSink {
    @Override
    public RatingBatch batch(RatingSchema schema, int capacity) {
      return RatingBatch.allocate(memory, schema, capacity);
    }

    @Override
    public void publish(long ordinal, RatingBatch batch, int ratings) {
      count.addAndGet(ratings);
      batch.close();
    }
  }

  private record OneThread() implements Parallelism {
    @Override
    public int threads() {
      return 1;
    }

    @Override
    public void forEach(int tasks, Task task) {
      for (int index = 0; index < tasks; index++) {
        task.run(index, 0);
      }
    }
  }
}
