package org.pecf.api.compute;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/** Ranked lists of items in Arrow memory, best first; equal scores are ordered by item. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RankedItems implements AutoCloseable {
  private final int users;
  private final int depth;
  private final ArrowBuf counts;
  private final ArrowBuf items;
  private final ArrowBuf scores;

  private RankedItems(int users, int depth, ArrowBuf counts, ArrowBuf items, ArrowBuf scores) {
    this.users = users;
    this.depth = depth;
    this.counts = counts;
    this.items = items;
    this.scores = scores;
  }

  /** Allocate lists to be written by {@link #set}. */
  public static RankedItems allocate(BufferAllocator allocator, int users, int depth) {
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      buffers.add(allocator.buffer((long) users * Integer.BYTES));
      buffers.add(allocator.buffer((long) users * depth * Integer.BYTES));
      buffers.add(allocator.buffer((long) users * depth * Float.BYTES));
    } catch (RuntimeException e) {
      buffers.forEach(ArrowBuf::close);
      throw e;
    }
    buffers.get(0).setZero(0, buffers.get(0).capacity());
    return new RankedItems(users, depth, buffers.get(0), buffers.get(1), buffers.get(2));
  }

  /** Return how many lists there are. */
  public int users() {
    return users;
  }

  /** Return how long a list can be. */
  public int depth() {
    return depth;
  }

  /** Return how long a list is. */
  public int count(int row) {
    return counts.getInt((long) row * Integer.BYTES);
  }

  /** Return the item at a place of a list. */
  public int item(int row, int place) {
    return items.getInt(((long) row * depth + place) * Integer.BYTES);
  }

  /** Return the score at a place of a list. */
  public float score(int row, int place) {
    return scores.getFloat(((long) row * depth + place) * Float.BYTES);
  }

  /**
   * Write a list.
   *
   * @param rowItems items, best first. Not modified.
   * @param rowScores their scores. Not modified.
   */
  public void set(int row, int count, int[] rowItems, float[] rowScores) {
    counts.setInt((long) row * Integer.BYTES, count);
    for (int place = 0; place < count; place++) {
      items.setInt(((long) row * depth + place) * Integer.BYTES, rowItems[place]);
      scores.setFloat(((long) row * depth + place) * Float.BYTES, rowScores[place]);
    }
  }

  @Override
  public void close() {
    counts.close();
    items.close();
    scores.close();
  }
}
