package org.pecf.engine.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.Part;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;

/**
 * Ratings for tests, with rows in the order of a source.
 *
 * @param schema what rows hold
 * @param rows the ratings
 */
public record Ratings(RatingSchema schema, List<Row> rows) {
  /** Ids that are numbers, with values and times. */
  public static final RatingSchema FULL =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, true);

  /** Ids that are texts, without values and times. */
  public static final RatingSchema TEXTS = new RatingSchema(IdKind.TEXT, IdKind.TEXT, false, false);

  /**
   * One rating.
   *
   * @param user a Long or a String
   * @param item a Long or a String
   * @param rating ignored without values
   * @param time ignored without times
   */
  public record Row(Object user, Object item, float rating, long time) {}

  /** Return one rating with numbers as ids. */
  public static Row row(long user, long item, float rating, long time) {
    return new Row(user, item, rating, time);
  }

  /** Return one rating with texts as ids. */
  public static Row row(String user, String item) {
    return new Row(user, item, 0, 0);
  }

  /** Return a single thread. */
  public static Parallelism oneThread() {
    return new Parallelism() {
      @Override
      public int threads() {
        return 1;
      }

      @Override
      public void forEach(int count, Task task) {
        for (int index = 0; index < count; index++) {
          task.run(index, 0);
        }
      }
    };
  }

  /** Return a context of one thread that is never cancelled. */
  public static RunContext context(BufferAllocator allocator) {
    return new RunContext(allocator, oneThread(), () -> false, RunListener.none());
  }

  /** Publish all rows in batches of the given size, with ordinals that leave gaps. */
  public void publish(RatingSink sink, int batchSize) {
    for (int start = 0; start < rows.size(); start += batchSize) {
      publish(sink, start, Math.min(rows.size(), start + batchSize));
    }
  }

  /** Publish some rows as one batch whose ordinal is the first row. */
  public void publish(RatingSink sink, int start, int end) {
    RatingBatch batch = sink.batch(schema, end - start);
    try {
      fill(batch, start, end);
    } catch (RuntimeException e) {
      batch.close();
      throw e;
    }
    sink.publish(start, batch, end - start);
  }

  private void fill(RatingBatch batch, int start, int end) {
    for (int k = start; k < end; k++) {
      Row row = rows.get(k);
      int index = k - start;
      set(batch.users(), index, row.user());
      set(batch.items(), index, row.item());
      batch.ratings().ifPresent(vector -> vector.setSafe(index, row.rating()));
      batch.times().ifPresent(vector -> vector.setSafe(index, row.time()));
    }
  }

  private static void set(FieldVector vector, int index, Object id) {
    if (vector instanceof BigIntVector numbers) {
      numbers.setSafe(index, (Long) id);
    } else {
      ((VarCharVector) vector).setSafe(index, ((String) id).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Build a dataset of which every rating is a positive, on one thread in one batch. */
  public Dataset build(BufferAllocator allocator) {
    return build(allocator, DatasetRules.all());
  }

  /** Build a pre-split dataset of which every rating is a positive. */
  public static Dataset build(BufferAllocator allocator, Map<Part, Ratings> parts) {
    try (DatasetBuilder builder = new DatasetBuilder(context(allocator))) {
      parts.forEach(
          (part, ratings) -> ratings.publish(builder.sink(part, Choices.nameOf(part)), 100));
      return builder.build(DatasetRules.all());
    }
  }

  /** Build a dataset on one thread in one batch. */
  Dataset build(BufferAllocator allocator, DatasetRules rules) {
    try (DatasetBuilder builder = new DatasetBuilder(context(allocator))) {
      publish(builder, 0, rows.size());
      return builder.build(rules);
    }
  }

  /** Return the positives of a dataset as "user item" by their ids. */
  public static List<String> cells(Dataset dataset) {
    List<String> cells = new ArrayList<>();
    for (int user = 0; user < dataset.positives().users(); user++) {
      for (int k = dataset.positives().userStart(user);
          k < dataset.positives().userStart(user + 1);
          k++) {
        cells.add(
            dataset.users().textAt(user)
                + " "
                + dataset.items().textAt(dataset.positives().itemAt(k)));
      }
    }
    return cells;
  }
}
