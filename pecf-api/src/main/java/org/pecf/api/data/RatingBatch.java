package org.pecf.api.data;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apiguardian.api.API;

/**
 * Hold ratings as Arrow vectors, one element a rating.
 *
 * <p>Ids are a {@link BigIntVector} or a {@link VarCharVector} by their {@link IdKind}.
 *
 * @since 0.1
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
    FieldVector users = ids("user", schema.users(), allocator, capacity);
    FieldVector items = ids("item", schema.items(), allocator, capacity);
    Optional<Float4Vector> ratings = Optional.empty();
    if (schema.rated()) {
      Float4Vector vector = new Float4Vector("rating", allocator);
      vector.allocateNew(capacity);
      ratings = Optional.of(vector);
    }
    Optional<BigIntVector> times = Optional.empty();
    if (schema.timed()) {
      BigIntVector vector = new BigIntVector("time", allocator);
      vector.allocateNew(capacity);
      times = Optional.of(vector);
    }
    return new RatingBatch(schema, users, items, ratings, times);
  }

  private static FieldVector ids(
      String name, IdKind kind, BufferAllocator allocator, int capacity) {
    if (kind == IdKind.INTEGER) {
      BigIntVector vector = new BigIntVector(name, allocator);
      vector.allocateNew(capacity);
      return vector;
    }
    VarCharVector vector = new VarCharVector(name, allocator);
    vector.allocateNew(capacity);
    return vector;
  }

  /** Return what the batch holds. */
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
