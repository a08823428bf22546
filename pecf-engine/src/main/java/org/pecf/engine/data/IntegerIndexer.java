package org.pecf.engine.data;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.pecf.api.memory.Side;

/** A table of ids that are whole numbers of 64 bits. */
final class IntegerIndexer extends IdIndexer {
  /** The bound below which ids are looked up directly instead of by a hash. */
  private static final int SMALL_IDS = 1 << 21;

  private final OffHeapColumn stored;

  /** The number plus one of each small id, zero if it has none; grows with the ids. */
  private final OffHeapColumn small;

  private long candidate;

  IntegerIndexer(BufferAllocator allocator) {
    super(allocator);
    this.stored = column(Long.BYTES);
    this.small = column(Integer.BYTES);
  }

  @Override
  void number(FieldVector ids, int count, OffHeapColumn numbers) {
    OffHeapColumn values = OffHeapColumn.view(ids.getDataBuffer(), Long.BYTES);
    for (int k = 0; k < count; k++) {
      long id = values.longAt(k);
      int known = id >= 0 && id < small.capacity() ? small.intAt(id) : 0;
      numbers.set(k, known > 0 ? known - 1 : numberOf(id));
    }
  }

  /** Number an id by its hash; remember the number of a small id for direct lookup. */
  private int numberOf(long id) {
    candidate = id;
    int number = number(mix(id));
    if (id >= 0 && id < SMALL_IDS) {
      small.grow(allocator, id + 1);
      small.set(id, number + 1);
    }
    return number;
  }

  @Override
  int[] ranks() {
    return ranksOfSmallIds().orElseGet(this::ranksBySorting);
  }

  /** Return the ranks by the table of small ids, unless some ids are not in it. */
  private Optional<int[]> ranksOfSmallIds() {
    int[] ranks = new int[size()];
    int rank = 0;
    long capacity = small.capacity();
    for (long id = 0; id < capacity; id++) {
      int known = small.intAt(id);
      if (known > 0) {
        ranks[known - 1] = rank++;
      }
    }
    return rank == ranks.length ? Optional.of(ranks) : Optional.empty();
  }

  private int[] ranksBySorting() {
    long[] ascending = new long[size()];
    for (int number = 0; number < ascending.length; number++) {
      ascending[number] = stored.longAt(number);
    }
    Arrays.sort(ascending);
    int[] ranks = new int[ascending.length];
    for (int rank = 0; rank < ranks.length; rank++) {
      candidate = ascending[rank];
      ranks[number(mix(candidate))] = rank;
    }
    return ranks;
  }

  @Override
  FieldVector ids(Side side, int[] ranks, boolean[] kept) {
    long[] ascending = new long[ranks.length];
    for (int number = 0; number < ranks.length; number++) {
      ascending[ranks[number]] = stored.longAt(number);
    }
    int size = 0;
    for (int rank = 0; rank < ascending.length; rank++) {
      if (kept[rank]) {
        ascending[size++] = ascending[rank];
      }
    }
    BigIntVector ids = new BigIntVector(side.name().toLowerCase(Locale.ROOT), allocator);
    try {
      ids.allocateNew(size);
      for (int index = 0; index < size; index++) {
        ids.set(index, ascending[index]);
      }
      ids.setValueCount(size);
      return ids;
    } catch (RuntimeException e) {
      ids.close();
      throw e;
    }
  }

  @Override
  String text(int number) {
    return Long.toString(stored.longAt(number));
  }

  @Override
  protected boolean matches(int number) {
    return stored.longAt(number) == candidate;
  }

  @Override
  protected void store(int number) {
    stored.grow(allocator, number + 1L);
    stored.set(number, candidate);
  }

  @Override
  protected int hash(int number) {
    return mix(stored.longAt(number));
  }
}
