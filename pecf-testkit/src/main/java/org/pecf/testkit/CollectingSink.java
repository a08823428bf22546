package org.pecf.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apiguardian.api.API;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/**
 * Collect ratings as objects, and hold loaders to the rules of a sink: one schema, each ordinal
 * once.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CollectingSink implements RatingSink {
  private final BufferAllocator allocator;
  private final SortedMap<Long, List<LoadedRating>> batches = new TreeMap<>();
  private Optional<RatingSchema> schema = Optional.empty();

  /** Lend batches from an allocator. */
  public CollectingSink(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  @Override
  public synchronized RatingBatch batch(RatingSchema wanted, int capacity) {
    if (schema.isPresent() && !schema.get().equals(wanted)) {
      throw new IllegalStateException("one source holds " + schema.get() + " and " + wanted);
    }
    schema = Optional.of(wanted);
    return RatingBatch.allocate(allocator, wanted, capacity);
  }

  @Override
  public synchronized void publish(long ordinal, RatingBatch batch, int count) {
    try (batch) {
      List<LoadedRating> ratings = new ArrayList<>();
      for (int k = 0; k < count; k++) {
        int index = k;
        ratings.add(
            new LoadedRating(
                id(batch.users(), k),
                id(batch.items(), k),
                batch.ratings().map(vector -> vector.get(index)),
                batch.times().map(vector -> vector.get(index))));
      }
      if (batches.put(ordinal, ratings) != null) {
        throw new IllegalStateException("two batches have the ordinal " + ordinal);
      }
    }
  }

  private static Object id(FieldVector vector, int index) {
    if (vector instanceof BigIntVector integers) {
      return integers.get(index);
    }
    return new String(((VarCharVector) vector).get(index), StandardCharsets.UTF_8);
  }

  /** Return all ratings in the order of their batches. */
  public synchronized List<LoadedRating> ratings() {
    return batches.values().stream().flatMap(List::stream).toList();
  }

  /** Return what the source holds, once a batch was asked for. */
  public synchronized Optional<RatingSchema> schema() {
    return schema;
  }
}
