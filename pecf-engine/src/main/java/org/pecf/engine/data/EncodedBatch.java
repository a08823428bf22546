package org.pecf.engine.data;

import org.jspecify.annotations.Nullable;
import org.pecf.api.data.Part;

/**
 * The ratings of a batch with ids replaced by numbers.
 *
 * @param part the part they belong to
 * @param ordinal the place of the batch in its source
 * @param count the number of ratings
 * @param users the number of each rating's user
 * @param items the number of each rating's item
 * @param ratings the values, or null
 * @param times the times, or null
 */
record EncodedBatch(
    Part part,
    long ordinal,
    int count,
    OffHeapColumn users,
    OffHeapColumn items,
    @Nullable OffHeapColumn ratings,
    @Nullable OffHeapColumn times)
    implements AutoCloseable {
  @Override
  public void close() {
    users.close();
    items.close();
    if (ratings != null) {
      ratings.close();
    }
    if (times != null) {
      times.close();
    }
  }
}
