package org.pecf.engine.data;

import java.util.Arrays;
import java.util.Locale;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.pecf.api.memory.Side;

/** Number ids that are whole numbers of 64 bits. */
final class IntegerIndexer extends IdIndexer {
  private static final int FIRST_CAPACITY = 512;

  private final Column stored;
  private long candidate;

  IntegerIndexer(BufferAllocator allocator) {
    super(allocator);
    try {
      this.stored = Column.allocate(allocator, FIRST_CAPACITY, Long.BYTES);
    } catch (RuntimeException e) {
      super.close();
      throw e;
    }
  }

  @Override
  void number(FieldVector ids, int count, Column numbers) {
    ArrowBuf values = ids.getDataBuffer();
    int number = -1;
    for (int k = 0; k < count; k++) {
      long id = values.getLong((long) k * Long.BYTES);
      // Sources are often grouped by user: do not look up the same id again.
      if (number < 0 || id != candidate) {
        candidate = id;
        number = number(mix(id));
      }
      numbers.set(k, number);
    }
  }

  @Override
  int[] ranks() {
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

  @Override
  public void close() {
    super.close();
    stored.close();
  }
}
