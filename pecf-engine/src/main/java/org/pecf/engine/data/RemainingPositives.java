package org.pecf.engine.data;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;

/** The positives of the users and items that remain, renumbered without gaps. */
final class RemainingPositives implements AutoCloseable {
  private final Cleanup cleanup = new Cleanup();
  private final int[] perUser;
  private final int[] perItem;
  private final int[] perPart = new int[Part.values().length];
  private final int count;
  private final OffHeapColumn starts;
  private final OffHeapColumn items;
  private final Optional<BigIntVector> times;
  private final Optional<TinyIntVector> parts;
  private long firstTime = Long.MAX_VALUE;
  private long lastTime = Long.MIN_VALUE;

  private RemainingPositives(
      int users, int items, int count, CellRatings.Fields fields, BufferAllocator allocator) {
    this.perUser = new int[users];
    this.perItem = new int[items];
    this.count = count;
    try {
      this.starts = cleanup.add(OffHeapColumn.allocate(allocator, users + 1L, Integer.BYTES));
      this.items = cleanup.add(OffHeapColumn.allocate(allocator, count, Integer.BYTES));
      this.times =
          fields.times()
              ? Optional.of(cleanup.add(new BigIntVector("time", allocator)))
              : Optional.empty();
      this.parts =
          fields.parts()
              ? Optional.of(cleanup.add(new TinyIntVector("part", allocator)))
              : Optional.empty();
      times.ifPresent(vector -> vector.allocateNew(count));
      parts.ifPresent(vector -> vector.allocateNew(count));
    } catch (RuntimeException e) {
      cleanup.close();
      throw e;
    }
  }

  /**
   * Copy the positives that remain.
   *
   * @param cells settled ratings. Not modified.
   * @param counts the number of positives of each user among them. Not modified.
   * @param remaining the users and items that remain. Not modified.
   */
  static RemainingPositives of(
      CellRatings cells,
      int[] counts,
      RarityFilter.Remaining remaining,
      CellRatings.Fields fields,
      BufferAllocator allocator) {
    int[] userIndexes = indexes(remaining.users());
    int[] itemIndexes = indexes(remaining.items());
    int total = 0;
    for (int user = 0; user < counts.length; user++) {
      int end = userIndexes[user] < 0 ? 0 : cells.start(user) + counts[user];
      for (int k = cells.start(user); k < end; k++) {
        total += itemIndexes[cells.itemAt(k)] < 0 ? 0 : 1;
      }
    }
    RemainingPositives positives =
        new RemainingPositives(
            remaining(userIndexes), remaining(itemIndexes), total, fields, allocator);
    int position = 0;
    for (int user = 0; user < counts.length; user++) {
      int index = userIndexes[user];
      if (index >= 0) {
        int from = position;
        for (int k = cells.start(user); k < cells.start(user) + counts[user]; k++) {
          int item = itemIndexes[cells.itemAt(k)];
          if (item >= 0) {
            positives.copy(cells, k, item, position++);
          }
        }
        positives.starts.set(index + 1L, position);
        positives.perUser[index] = position - from;
      }
    }
    positives.times.ifPresent(vector -> vector.setValueCount(positives.count));
    positives.parts.ifPresent(vector -> vector.setValueCount(positives.count));
    return positives;
  }

  private void copy(CellRatings cells, int from, int item, int to) {
    items.set(to, item);
    perItem[item]++;
    if (times.isPresent()) {
      long time = cells.timeAt(from);
      times.get().set(to, time);
      firstTime = Math.min(firstTime, time);
      lastTime = Math.max(lastTime, time);
    }
    if (parts.isPresent()) {
      byte part = cells.partAt(from);
      parts.get().set(to, part);
      perPart[part]++;
    }
  }

  /** Return the new indexes: of those that remain, and -1 for the others. */
  static int[] indexes(boolean[] remaining) {
    int[] indexes = new int[remaining.length];
    int next = 0;
    for (int rank = 0; rank < indexes.length; rank++) {
      indexes[rank] = remaining[rank] ? next++ : -1;
    }
    return indexes;
  }

  /** Return how many remain. */
  static int remaining(int[] indexes) {
    return Arrays.stream(indexes).max().orElse(-1) + 1;
  }

  int count() {
    return count;
  }

  DatasetSummary.Spread perUser() {
    return DatasetSummary.Spread.of(perUser);
  }

  DatasetSummary.Spread perItem() {
    return DatasetSummary.Spread.of(perItem);
  }

  /** Return the number of positives in each part; empty if there are no parts. */
  List<Integer> perPart() {
    return parts.isPresent() ? Arrays.stream(perPart).boxed().toList() : List.of();
  }

  Optional<DatasetSummary.Span> span() {
    return times.map(vector -> new DatasetSummary.Span(firstTime, lastTime));
  }

  Optional<BigIntVector> times() {
    return times;
  }

  Optional<TinyIntVector> parts() {
    return parts;
  }

  /** Build the set of cells; if that succeeds, all other memory passes to the caller. */
  SparseCells cells(BufferAllocator allocator) {
    SparseCells cells =
        SparseCells.ofUserOrder(
            allocator, perUser.length, perItem.length, starts.release(), items.release());
    cleanup.release();
    return cells;
  }

  @Override
  public void close() {
    cleanup.close();
  }
}
