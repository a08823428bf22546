package org.pecf.engine.data;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeMap;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;
import org.pecf.engine.file.OutputFile;

/**
 * A writer of ratings to a file while they are read, in the order of the source.
 *
 * <p>Batches with ordinals 0, 1, 2, ... are written as soon as those before them are; earlier
 * arrivals wait, and batches after a gap wait until the end. The file appears under its name when
 * everything is written (see {@link OutputFile}).
 */
public final class RatingsWriter implements RatingSink, AutoCloseable {
  /** The format of the file. */
  public enum Format {
    /**
     * Comma-separated values in UTF-8 with a header, quoted where RFC 4180 requires it. The kind of
     * ids is not written: texts that look like numbers are read as numbers.
     */
    CSV,
    /** The file format of Arrow IPC, which preserves everything. */
    ARROW
  }

  /** A file to which batches are written in order. */
  interface Output extends AutoCloseable {
    /** Write ratings; the caller closes the batch. */
    void write(RatingBatch batch, int count) throws IOException;

    /** Complete the file. */
    void finish() throws IOException;

    @Override
    void close() throws IOException;
  }

  private record Waiting(RatingBatch batch, int count) {}

  private final OutputFile target;
  private final Format format;
  private final RunContext context;
  private final TreeMap<Long, Waiting> waiting = new TreeMap<>();
  private OutputFile.@Nullable Draft draft;
  private @Nullable Output output;
  private @Nullable RatingSchema schema;
  private long next;
  private long written;
  private boolean closed;

  /**
   * Create a writer; the file is begun with the first batch.
   *
   * @param target the file
   * @param format its format
   * @param context the run context
   */
  public RatingsWriter(Path target, Format format, RunContext context) {
    this.target = OutputFile.at(target);
    this.format = format;
    this.context = context;
  }

  /** Return the format that a file's name stands for by its extension. */
  public static Format formatOf(Path target) {
    String name = target.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".csv")) {
      return Format.CSV;
    }
    if (name.endsWith(".arrow") || name.endsWith(".feather")) {
      return Format.ARROW;
    }
    throw PecfException.badOption(
        "The name of %s does not tell its format. End it in .csv or .arrow.", target);
  }

  @Override
  public RatingBatch batch(RatingSchema schema, int capacity) {
    return MemoryLimit.batch(context.allocator(), schema, capacity);
  }

  @Override
  public synchronized void publish(long ordinal, RatingBatch batch, int count) {
    try {
      context.cancellation().check();
      admit(ordinal, batch);
    } catch (RuntimeException e) {
      batch.close();
      throw e;
    }
    waiting.put(ordinal, new Waiting(batch, count));
    while (!waiting.isEmpty() && waiting.firstKey() == next) {
      next++;
      write(waiting.pollFirstEntry().getValue());
    }
  }

  private void admit(long ordinal, RatingBatch batch) {
    if (closed) {
      throw new IllegalStateException("the file is already complete or abandoned");
    }
    if (ordinal < next || waiting.containsKey(ordinal)) {
      throw PecfException.pluginFault(
          ordinal < 0
              ? "The loader published a batch with the ordinal %d. Ordinals must start at 0."
              : "The loader published two batches with the ordinal %d. Each batch needs its own.",
          ordinal);
    }
    if (schema != null && !schema.equals(batch.schema())) {
      throw PecfException.pluginFault(
          "The loader published batches of different schemas, %s and %s. It must decide on one"
              + " before the first batch.",
          schema, batch.schema());
    }
    schema = batch.schema();
  }

  private void write(Waiting ratings) {
    try (RatingBatch batch = ratings.batch()) {
      if (output == null) {
        draft = target.begin();
        output =
            format == Format.CSV
                ? new CsvOutput(draft.channel(), batch.schema())
                : new ArrowOutput(draft.channel(), batch.schema(), context.allocator());
      }
      output.write(batch, ratings.count());
      written += ratings.count();
    } catch (IOException e) {
      throw target.failed(e);
    } catch (OutOfMemoryException e) {
      throw MemoryLimit.exceeded(context.allocator(), e);
    }
  }

  /**
   * Write the waiting batches and put the file in its place.
   *
   * @return the number of ratings written
   */
  public synchronized long finish() {
    while (!waiting.isEmpty()) {
      context.cancellation().check();
      write(waiting.pollFirstEntry().getValue());
    }
    if (output == null || draft == null) {
      throw PecfException.badData(
          "There are no ratings to write to %s. Check the source of the data.", target);
    }
    try {
      output.finish();
      draft.complete();
    } catch (IOException e) {
      throw target.failed(e);
    }
    closed = true;
    return written;
  }

  /** Release everything; an unfinished file is deleted. */
  @Override
  public synchronized void close() {
    closed = true;
    waiting.values().forEach(ratings -> ratings.batch().close());
    waiting.clear();
    try {
      try {
        if (output != null) {
          output.close();
          output = null;
        }
      } finally {
        if (draft != null) {
          draft.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
