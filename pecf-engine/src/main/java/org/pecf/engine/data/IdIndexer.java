package org.pecf.engine.data;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.Side;

/**
 * A table of ids, which are numbered in the order of their first occurrence and later ranked.
 *
 * <p>It is an open-addressing hash table with linear probing in off-heap memory. Subclasses store
 * and compare one kind of id. One thread at a time may number ids.
 */
abstract class IdIndexer implements AutoCloseable {
  private static final int FIRST_CAPACITY = 1024;

  protected final BufferAllocator allocator;

  /** The number of an id plus one, by slot; zero where the slot is free. */
  private OffHeapColumn slots;

  private final List<OffHeapColumn> columns = new ArrayList<>();
  private int size;

  protected IdIndexer(BufferAllocator allocator) {
    this.allocator = allocator;
    this.slots = OffHeapColumn.allocate(allocator, FIRST_CAPACITY, Integer.BYTES);
  }

  /** Allocate a column, which is closed with this table, or with all of it if this fails. */
  protected final OffHeapColumn column(int elementBytes) {
    try {
      OffHeapColumn column = OffHeapColumn.allocate(allocator, FIRST_CAPACITY / 2, elementBytes);
      columns.add(column);
      return column;
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Create an indexer for ids of a kind. */
  static IdIndexer of(IdKind kind, BufferAllocator allocator) {
    return kind == IdKind.INTEGER ? new IntegerIndexer(allocator) : new TextIndexer(allocator);
  }

  /**
   * Number the ids of a batch.
   *
   * @param ids the ids, of the kind of this table. Not modified.
   * @param count the number of ids
   * @param numbers receives the number of each id. Modified.
   */
  abstract void number(FieldVector ids, int count, OffHeapColumn numbers);

  /** Return the rank of every number in the ascending order of ids. */
  abstract int[] ranks();

  /**
   * Return the ids that are kept, ascending.
   *
   * @param ranks as returned by {@link #ranks}. Not modified.
   * @param kept whether the id of a rank is kept. Not modified.
   */
  abstract FieldVector ids(Side side, int[] ranks, boolean[] kept);

  /** Return an id as text, for messages. */
  abstract String text(int number);

  /** Return whether the stored id of a number equals the current candidate. */
  protected abstract boolean matches(int number);

  /** Store the current candidate under a new number. */
  protected abstract void store(int number);

  /** Return the hash of a stored id. */
  protected abstract int hash(int number);

  /** Return the number of different ids. */
  final int size() {
    return size;
  }

  /** Return the number of the current candidate, a new one if it is unknown. */
  protected final int number(int hash) {
    int mask = (int) slots.capacity() - 1;
    int slot = hash & mask;
    for (int entry = slots.intAt(slot); entry != 0; entry = slots.intAt(slot)) {
      if (matches(entry - 1)) {
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
    store(size);
    slots.set(slot, ++size);
    if (size > (mask >>> 1)) {
      enlarge();
    }
    return size - 1;
  }

  private void enlarge() {
    OffHeapColumn larger = OffHeapColumn.allocate(allocator, 2 * slots.capacity(), Integer.BYTES);
    int mask = (int) larger.capacity() - 1;
    for (int number = 0; number < size; number++) {
      int slot = hash(number) & mask;
      while (larger.intAt(slot) != 0) {
        slot = (slot + 1) & mask;
      }
      larger.set(slot, number + 1);
    }
    slots.close();
    slots = larger;
  }

  /** Spread the bits of a hash. */
  protected static int mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return (int) (z ^ (z >>> 31));
  }

  @Override
  public final void close() {
    slots.close();
    columns.forEach(OffHeapColumn::close);
  }
}
