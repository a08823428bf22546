package org.pecf.api.memory;

import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A set of cells of the users x items grid, by user and by item, in Arrow memory.
 *
 * <p>Both views are compressed: cells of user i are at positions {@code userStart(i)} to {@code
 * userStart(i + 1) - 1} of the by-user order, their items ascending; and the mirror image by item.
 * Immutable once built; safe for use by many threads at once.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SparseCells implements AutoCloseable {
  private final int users;
  private final int items;
  private final int count;
  private final BufferAllocator allocator;
  private final ArrowBuf userStarts;
  private final ArrowBuf itemsByUser;

  /** The view by item, made when it is first asked for. */
  private volatile @Nullable ByItem byItem;

  /** The set that this is lent from, or this. */
  private final SparseCells owner;

  private final SparseCells lent;

  private SparseCells(
      int users,
      int items,
      int count,
      BufferAllocator allocator,
      ArrowBuf userStarts,
      ArrowBuf itemsByUser) {
    this.users = users;
    this.items = items;
    this.count = count;
    this.allocator = allocator;
    this.userStarts = userStarts;
    this.itemsByUser = itemsByUser;
    this.owner = this;
    this.lent = new SparseCells(this);
  }

  private SparseCells(SparseCells owner) {
    this.users = owner.users;
    this.items = owner.items;
    this.count = owner.count;
    this.allocator = owner.allocator;
    this.userStarts = owner.userStarts;
    this.itemsByUser = owner.itemsByUser;
    this.owner = owner;
    this.lent = this;
  }

  /**
   * Return the view for somebody who may read the cells only: closing it is an exception, and so is
   * asking it for buffers. Always the same one.
   */
  public SparseCells lent() {
    return lent;
  }

  private <T> T owned(T what) {
    if (owner != this) {
      throw new IllegalStateException(
          "the cells are lent: they can be read, not changed or closed");
    }
    return what;
  }

  /** Copy the starts of users and the items by user to the beginnings of buffers. */
  void copyByUser(ArrowBuf starts, ArrowBuf cellItems) {
    starts.setBytes(0, userStarts, 0, (users + 1L) * Integer.BYTES);
    cellItems.setBytes(0, itemsByUser, 0, (long) count * Integer.BYTES);
  }

  /** The view by item. */
  private record ByItem(ArrowBuf itemStarts, ArrowBuf usersByItem) {}

  /**
   * Build the set from cells sorted by user, then item, without repetition.
   *
   * @param count how many cells the arrays hold
   * @param cellUsers the user of each cell. Not modified.
   * @param cellItems the item of each cell. Not modified.
   */
  public static SparseCells ofSorted(
      BufferAllocator allocator,
      int users,
      int items,
      int count,
      int[] cellUsers,
      int[] cellItems) {
    for (int k = 0; k < count; k++) {
      if (cellUsers[k] < 0 || cellUsers[k] >= users) {
        throw new IllegalArgumentException(
            String.format(
                "cell (%s, %s) is outside %s x %s", cellUsers[k], cellItems[k], users, items));
      }
      if (k > 0 && cellUsers[k - 1] > cellUsers[k]) {
        throw new IllegalArgumentException("cell " + k + " is out of order or repeated");
      }
    }
    int[] starts = new int[users + 1];
    for (int k = 0; k < count; k++) {
      starts[cellUsers[k] + 1]++;
    }
    accumulate(starts);
    ArrowBuf userStarts = intBuffer(allocator, starts, users + 1);
    ArrowBuf itemsByUser;
    try {
      itemsByUser = intBuffer(allocator, cellItems, count);
    } catch (RuntimeException e) {
      userStarts.close();
      throw e;
    }
    return ofUserOrder(allocator, users, items, userStarts, itemsByUser);
  }

  /**
   * Build the set from its by-user view, without a copy of the cells on the heap.
   *
   * @param userStarts users + 1 ints: the position of the first cell of each user, then the count.
   *     From now on owned by the set; closed if the set cannot be built.
   * @param itemsByUser the items of the cells by user, ascending within a user. From now on owned
   *     by the set; closed if the set cannot be built.
   */
  public static SparseCells ofUserOrder(
      BufferAllocator allocator, int users, int items, ArrowBuf userStarts, ArrowBuf itemsByUser) {
    int count = userStarts.getInt((long) users * Integer.BYTES);
    SparseCells cells = new SparseCells(users, items, count, allocator, userStarts, itemsByUser);
    try {
      cells.makeByItem();
      return cells;
    } catch (RuntimeException e) {
      cells.close();
      throw e;
    }
  }

  /**
   * Take over a by-user view without looking at it: it is checked, and the by-item view made, when
   * the latter is first asked for. Until then a position or an item that is out of bounds is
   * refused when it is met, by an {@link IndexOutOfBoundsException}.
   *
   * @param count the number of cells
   * @param userStarts users + 1 ints: the position of the first cell of each user, then the count.
   *     From now on owned by the set; closed if it is too short.
   * @param itemsByUser the items of the cells by user, ascending within a user. From now on owned
   *     by the set; closed if it is too short.
   */
  public static SparseCells ofUncheckedUserOrder(
      BufferAllocator allocator,
      int users,
      int items,
      int count,
      ArrowBuf userStarts,
      ArrowBuf itemsByUser) {
    SparseCells cells = new SparseCells(users, items, count, allocator, userStarts, itemsByUser);
    if (userStarts.capacity() < (users + 1L) * Integer.BYTES
        || itemsByUser.capacity() < (long) count * Integer.BYTES) {
      cells.close();
      throw new IllegalArgumentException(
          "buffers of "
              + userStarts.capacity()
              + " and "
              + itemsByUser.capacity()
              + " bytes cannot hold "
              + count
              + " cells of "
              + users
              + " users");
    }
    return cells;
  }

  private ByItem byItem() {
    ByItem view = owner.byItem;
    if (view == null) {
      try {
        view = owner.makeByItem();
      } catch (IllegalArgumentException e) {
        throw new IndexOutOfBoundsException(e.getMessage());
      }
    }
    return view;
  }

  private synchronized ByItem makeByItem() {
    ByItem view = byItem;
    if (view == null) {
      view = transposed();
      byItem = view;
    }
    return view;
  }

  private ByItem transposed() {
    int[] itemNext = checkedItemStarts();
    ArrowBuf starts = intBuffer(allocator, itemNext, items + 1);
    ArrowBuf usersByItem;
    try {
      usersByItem = allocator.buffer(Math.max(1L, (long) count * Integer.BYTES));
    } catch (RuntimeException e) {
      starts.close();
      throw e;
    }
    for (int user = 0; user < users; user++) {
      int end = userStart(user + 1);
      for (int k = userStart(user); k < end; k++) {
        usersByItem.setInt((long) itemNext[itemAt(k)]++ * Integer.BYTES, user);
      }
    }
    return new ByItem(starts, usersByItem);
  }

  /** Check the by-user view and return the starts of the by-item view. */
  private int[] checkedItemStarts() {
    int[] starts = new int[items + 1];
    int position = 0;
    if (userStarts.getInt((long) users * Integer.BYTES) != count
        || count < 0
        || (long) count * Integer.BYTES > itemsByUser.capacity()) {
      throw new IllegalArgumentException("the cells of the last user do not end at the last cell");
    }
    if (userStarts.getInt(0) != 0) {
      throw new IllegalArgumentException("the cells of the first user do not start at 0");
    }
    for (int user = 0; user < users; user++) {
      int end = userStarts.getInt((user + 1L) * Integer.BYTES);
      if (end < position || end > count) {
        throw new IllegalArgumentException("the cells of user " + user + " end at " + end);
      }
      for (int previous = -1; position < end; position++) {
        int item = itemsByUser.getInt((long) position * Integer.BYTES);
        if (item < 0 || item >= items) {
          throw new IllegalArgumentException(
              "cell (" + user + ", " + item + ") is outside " + users + " x " + items);
        }
        if (item <= previous) {
          throw new IllegalArgumentException("cell " + position + " is out of order or repeated");
        }
        starts[item + 1]++;
        previous = item;
      }
    }
    accumulate(starts);
    return starts;
  }

  private static void accumulate(int[] counts) {
    for (int i = 1; i < counts.length; i++) {
      counts[i] += counts[i - 1];
    }
  }

  private static ArrowBuf intBuffer(BufferAllocator allocator, int[] values, int count) {
    ArrowBuf buffer = allocator.buffer(Math.max(1L, (long) count * Integer.BYTES));
    buffer
        .nioBuffer(0, Math.toIntExact((long) count * Integer.BYTES))
        .order(ByteOrder.nativeOrder())
        .asIntBuffer()
        .put(values, 0, count);
    return buffer;
  }

  /** Return the number of users of the grid. */
  public int users() {
    return users;
  }

  /** Return the number of items of the grid. */
  public int items() {
    return items;
  }

  /** Return the number of cells in the set. */
  public int count() {
    return count;
  }

  /** Return the position of the first cell of a user in the by-user order. */
  public int userStart(int user) {
    long place = Objects.checkIndex(user, users + 1);
    return Objects.checkIndex(userStarts.getInt(place * Integer.BYTES), count + 1);
  }

  /** Return the item of the cell at a position of the by-user order. */
  public int itemAt(int position) {
    long place = Objects.checkIndex(position, count);
    return Objects.checkIndex(itemsByUser.getInt(place * Integer.BYTES), items);
  }

  /** Return the position of the first cell of an item in the by-item order. */
  public int itemStart(int item) {
    return byItem().itemStarts.getInt((long) Objects.checkIndex(item, items + 1) * Integer.BYTES);
  }

  /** Return the user of the cell at a position of the by-item order. */
  public int userAt(int position) {
    return byItem().usersByItem.getInt((long) Objects.checkIndex(position, count) * Integer.BYTES);
  }

  /** Return how many cells a user has. */
  public int userCount(int user) {
    return userStart(user + 1) - userStart(user);
  }

  /** Return how many cells an item has. */
  public int itemCount(int item) {
    return itemStart(item + 1) - itemStart(item);
  }

  /**
   * Return the first position of a user's cells whose item is not below the given one, or the end
   * of the user's cells.
   */
  public int lowerBound(int user, int item) {
    int low = userStart(user);
    int high = userStart(user + 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (itemAt(middle) < item) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Return whether a cell is in the set. */
  public boolean contains(int user, int item) {
    int position = lowerBound(user, item);
    return position < userStart(user + 1) && itemAt(position) == item;
  }

  /** Return the starts of the users' cells: users + 1 ints. Cells that are lent give none. */
  public ArrowBuf userStarts() {
    return owned(userStarts);
  }

  /** Return the items of the cells, by user: count ints. Cells that are lent give none. */
  public ArrowBuf itemsByUser() {
    return owned(itemsByUser);
  }

  /**
   * Return the memory address of the starts of a side's rows: one int per row, then the number of
   * cells. Nothing is checked where addresses are used.
   */
  public long startsAddress(Side side) {
    return address(side == Side.USERS ? userStarts : byItem().itemStarts);
  }

  /**
   * Return the memory address of the cells of a side's rows, row after row: the items of users, or
   * the users of items. Nothing is checked where addresses are used.
   */
  public long cellsAddress(Side side) {
    return address(side == Side.USERS ? itemsByUser : byItem().usersByItem);
  }

  private static long address(ArrowBuf buffer) {
    if (buffer.refCnt() == 0) {
      throw new IllegalStateException("the cells are closed");
    }
    return buffer.memoryAddress();
  }

  @Override
  public void close() {
    owned(userStarts).close();
    itemsByUser.close();
    ByItem view = byItem;
    if (view != null) {
      view.itemStarts.close();
      view.usersByItem.close();
    }
  }
}
