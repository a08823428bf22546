package org.pecf.api.data;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apiguardian.api.API;

/**
 * A batch of ratings as Arrow vectors, one element per rating.
 *
 * <p>Ids are a {@link BigIntVector} or a {@link VarCharVector} by their {@link IdKind}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RatingBatch implements AutoCloseable {
  private final RatingSchema schema;
  private final FieldVector users;
  private final FieldVector items;
  private final Optional<Float4Vector> ratings;
  private final Optional<BigIntVector> times;

  private RatingBatch(
      RatingSchema schema,
      FieldVector users,
      FieldVector items,
      Optional<Float4Vector> ratings,
      Optional<BigIntVector> times) {
    this.schema = schema;
    this.users = users;
    this.items = items;
    this.ratings = ratings;
    this.times = times;
  }

  /** Allocate an empty batch. */
  public static RatingBatch allocate(BufferAllocator allocator, RatingSchema schema, int capacity) {
    FieldVector users = ids("user", schema.users(), allocator);
    FieldVector items = ids("item", schema.items(), allocator);
    Optional<Float4Vector> ratings =
        schema.rated() ? Optional.of(new Float4Vector("rating", allocator)) : Optional.empty();
    Optional<BigIntVector> times =
        schema.timed() ? Optional.of(new BigIntVector("time", allocator)) : Optional.empty();
    RatingBatch batch = new RatingBatch(schema, users, items, ratings, times);
    try {
      reserve(users, capacity);
      reserve(items, capacity);
      ratings.ifPresent(vector -> reserve(vector, capacity));
      times.ifPresent(vector -> reserve(vector, capacity));
      return batch;
    } catch (RuntimeException e) {
      batch.close();
      throw e;
    }
  }

  private static FieldVector ids(String name, IdKind kind, BufferAllocator allocator) {
    return kind == IdKind.INTEGER
        ? new BigIntVector(name, allocator)
        : new VarCharVector(name, allocator);
  }

  private static void reserve(FieldVector vector, int capacity) {
    vector.setInitialCapacity(capacity);
    vector.allocateNew();
  }

  /** Return the columns of the batch. */
  public RatingSchema schema() {
    return schema;
  }

  /** Return the user ids. */
  public FieldVector users() {
    return users;
  }

  /** Return the item ids. */
  public FieldVector items() {
    return items;
  }

  /** Return the rating values, if there are any. */
  public Optional<Float4Vector> ratings() {
    return ratings;
  }

  /** Return the timestamps in seconds since 1970, if there are any. */
  public Optional<BigIntVector> times() {
    return times;
  }

  @Override
  public void close() {
    users.close();
    items.close();
    ratings.ifPresent(Float4Vector::close);
    times.ifPresent(BigIntVector::close);
  }
}
