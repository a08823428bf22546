package org.pecf.plugin.loaders.text;

import java.util.Arrays;
import org.apache.arrow.memory.OutOfMemoryException;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/** Ratings by column, on the heap; the arrays are reused for the next batch. */
public final class RatingColumns {
  private final RatingSchema schema;
  final IdColumn users;
  final IdColumn items;
  float[] ratings = {};
  long[] times = {};
  int count;

  /** Create empty columns. */
  public RatingColumns(RatingSchema schema) {
    this.schema = schema;
    this.users = new IdColumn(schema.users());
    this.items = new IdColumn(schema.items());
  }

  /** Return the number of ratings. */
  public int count() {
    return count;
  }

  /** Make room for more ratings. */
  public void reserve(int more) {
    int capacity = Math.addExact(count, more);
    users.reserve(capacity);
    items.reserve(capacity);
    if (schema.rated() && ratings.length < capacity) {
      ratings = Arrays.copyOf(ratings, capacity);
    }
    if (schema.timed() && times.length < capacity) {
      times = Arrays.copyOf(times, capacity);
    }
  }

  /** Add a positive with integer ids; there must be room for it. */
  public void add(long user, long item) {
    users.numbers[count] = user;
    items.numbers[count] = item;
    count++;
  }

  /** Add a rating with integer ids; there must be room for it. */
  public void add(long user, long item, float rating, long time) {
    ratings[count] = rating;
    times[count] = time;
    add(user, item);
  }

  /** Change the integer id of the item that was added last. */
  public void setLastItem(long item) {
    items.numbers[count - 1] = item;
  }

  /** Publish the ratings, if there are any, and start again with none. */
  public void publish(RatingSink sink, long ordinal) {
    if (count == 0) {
      return;
    }
    RatingBatch batch = sink.batch(schema, 0);
    try {
      users.copyTo(batch.users(), count);
      items.copyTo(batch.items(), count);
      batch.ratings().ifPresent(vector -> Vectors.replace(vector, ratings, count));
      batch.times().ifPresent(vector -> Vectors.replace(vector, times, count));
    } catch (OutOfMemoryException e) {
      batch.close();
      // The sink explains in its own words which memory it cannot provide.
      sink.batch(schema, count).close();
      throw e;
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    sink.publish(ordinal, batch, count);
    count = 0;
  }
}
