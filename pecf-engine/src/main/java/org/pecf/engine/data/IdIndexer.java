package org.pecf.engine.data;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.Side;

/**
 * Number ids in the order they are first seen, then rank them in ascending order.
 *
 * <p>An open-addressing hash table with linear probing, off the heap. Subclasses say how one kind
 * of id is stored and compared. One thread at a time may number ids.
 */
abstract class IdIndexer implements AutoCloseable {
  private static final int FIRST_CAPACITY = 1024;

  protected final BufferAllocator allocator;

  /** The number of an id plus one, by slot; zero where the slot is free. */
  private Column slots;

  private int size;

  protected IdIndexer(BufferAllocator allocator) {
    this.allocator = allocator;
    this.slots = Column.allocate(allocator, FIRST_CAPACITY, Integer.BYTES);
  }

  /** Create an indexer for ids of a kind. */
  static IdIndexer of(IdKind kind, BufferAllocator allocator) {
    return kind == IdKind.INTEGER ? new IntegerIndexer(allocator) : new TextIndexer(allocator);
  }

  /**
   * Number the ids of a batch.
   *
   * @param ids of the indexer's kind. Not modified.
   * @param count how many
   * @param numbers receives the number of each id. Modified.
   */
  abstract void number(FieldVector ids, int count, Column numbers);

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

  /** Return whether the stored id of a number is the candidate at hand. */
  protected abstract boolean matches(int number);

  /** Store the candidate at hand as the next number. */
  protected abstract void store(int number);

  /** Return the hash of a stored id. */
  protected abstract int hash(int number);

  /** Return how many different ids there are. */
  final int size() {
    return size;
  }

  /** Return the number of the candidate at hand, a new one if it is new. */
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
    Column larger = Column.allocate(allocator, 2 * slots.capacity(), Integer.BYTES);
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
  public void close() {
    slots.close();
  }
}
