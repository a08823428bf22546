package org.pecf.loaders.testing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/** Keeps what is published as rows, in the order of the ordinals. */
public final class CollectingSink implements RatingSink {
  private final BufferAllocator allocator;
  private final TreeMap<Long, List<Row>> batches = new TreeMap<>();
  private RatingSchema schema;

  public CollectingSink(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public RatingBatch batch(RatingSchema asked, int capacity) {
    return RatingBatch.allocate(allocator, asked, capacity);
  }

  @Override
  public synchronized void publish(long ordinal, RatingBatch batch, int count) {
    try (batch) {
      if (schema != null && !schema.equals(batch.schema())) {
        throw new IllegalStateException("two schemas: " + schema + " and " + batch.schema());
      }
      schema = batch.schema();
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int index = i;
        rows.add(
            new Row(
                id(batch.users(), count, i),
                id(batch.items(), count, i),
                batch.ratings().map(ratings -> ratings.get(index)).orElse(Float.NaN),
                batch.times().map(times -> times.get(index)).orElse(0L)));
      }
      if (batches.put(ordinal, rows) != null) {
        throw new IllegalStateException("ordinal " + ordinal + " twice");
      }
    }
  }

  private static Object id(FieldVector vector, int count, int index) {
    if (vector.getValueCount() != count || vector.getNullCount() != 0) {
      throw new IllegalStateException("a vector without its count or with nulls: " + vector);
    }
    return vector instanceof BigIntVector numbers
        ? (Object) numbers.get(index)
        : new String(((VarCharVector) vector).get(index), StandardCharsets.UTF_8);
  }

  public RatingSchema schema() {
    return schema;
  }

  public List<Row> rows() {
    return batches.values().stream().flatMap(List::stream).toList();
  }

  public int batches() {
    return batches.size();
  }
}
