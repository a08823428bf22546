package org.pecf.api.memory;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A sparse matrix of floats in Arrow memory, row after row: the entries of row i are at positions
 * {@code rowStart(i)} to {@code rowStart(i + 1) - 1}, their columns ascending. Elements without an
 * entry are zero.
 *
 * <p>The matrix owns its memory: close it, or {@linkplain #transferTo hand it over}. Its structure
 * never changes.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SparseMatrix implements AutoCloseable {
  /** The largest number of entries: their bytes are addressed by an int. */
  public static final int MOST_ENTRIES = Integer.MAX_VALUE / Float.BYTES;

  private final int rows;
  private final int columns;
  private final int count;
  private final ArrowBuf rowStarts;
  private final ArrowBuf entryColumns;
  private final ArrowBuf entryValues;
  private final SparseMatrix lent;

  private SparseMatrix(
      int rows,
      int columns,
      int count,
      ArrowBuf rowStarts,
      ArrowBuf entryColumns,
      ArrowBuf entryValues) {
    this.rows = rows;
    this.columns = columns;
    this.count = count;
    this.rowStarts = rowStarts;
    this.entryColumns = entryColumns;
    this.entryValues = entryValues;
    this.lent = new SparseMatrix(this);
  }

  private SparseMatrix(SparseMatrix owner) {
    this.rows = owner.rows;
    this.columns = owner.columns;
    this.count = owner.count;
    this.rowStarts = owner.rowStarts;
    this.entryColumns = owner.entryColumns;
    this.entryValues = owner.entryValues;
    this.lent = this;
  }

  /**
   * Return the view for somebody who may read the matrix only: changing it, closing it or handing
   * it over is an exception. Always the same one.
   */
  public SparseMatrix lent() {
    return lent;
  }

  private <T> T owned(T what) {
    if (lent == this) {
      throw new IllegalStateException(
          "the matrix is lent: it can be read, but not changed, closed or handed over");
    }
    return what;
  }

  /**
   * Take over buffers that hold the matrix already, after a check of its structure.
   *
   * @param rowStarts rows + 1 ints: the position of the first entry of each row, then the number of
   *     entries. From now on owned by the matrix; closed if the structure is wrong.
   * @param entryColumns the column of each entry. From now on owned by the matrix; closed if the
   *     structure is wrong.
   * @param entryValues the value of each entry. From now on owned by the matrix; closed if the
   *     structure is wrong.
   */
  public static SparseMatrix of(
      int rows, int columns, ArrowBuf rowStarts, ArrowBuf entryColumns, ArrowBuf entryValues) {
    try {
      int count = check(rows, columns, rowStarts, entryColumns, entryValues);
      return new SparseMatrix(rows, columns, count, rowStarts, entryColumns, entryValues);
    } catch (RuntimeException e) {
      rowStarts.close();
      entryColumns.close();
      entryValues.close();
      throw e;
    }
  }

  /**
   * Take over buffers that hold the matrix already, without looking at them. A structure that is
   * wrong is met later: as an exception, or as wrong values.
   *
   * @param count the number of entries
   * @param rowStarts as for {@link #of}. From now on owned by the matrix; closed if it is too
   *     short.
   * @param entryColumns as for {@link #of}. From now on owned by the matrix; closed if it is too
   *     short.
   * @param entryValues as for {@link #of}. From now on owned by the matrix; closed if it is too
   *     short.
   */
  public static SparseMatrix ofUnchecked(
      int rows,
      int columns,
      int count,
      ArrowBuf rowStarts,
      ArrowBuf entryColumns,
      ArrowBuf entryValues) {
    SparseMatrix matrix =
        new SparseMatrix(rows, columns, count, rowStarts, entryColumns, entryValues);
    if (rowStarts.capacity() < (rows + 1L) * Integer.BYTES
        || count > MOST_ENTRIES
        || Math.min(entryColumns.capacity(), entryValues.capacity()) < (long) count * Float.BYTES) {
      matrix.close();
      throw new IllegalArgumentException(
          count + " entries of " + rows + " rows do not fit their buffers");
    }
    return matrix;
  }

  /** Check the structure and return the number of entries. */
  private static int check(
      int rows, int columns, ArrowBuf rowStarts, ArrowBuf entryColumns, ArrowBuf entryValues) {
    if (rows < 0 || columns < 0 || rowStarts.capacity() < (rows + 1L) * Integer.BYTES) {
      throw new IllegalArgumentException(
          "the starts of " + rows + " rows do not fit " + rowStarts.capacity() + " bytes");
    }
    IntBuffer starts = ints(rowStarts, rows + 1);
    int count = starts.get(rows);
    if (starts.get(0) != 0
        || count < 0
        || (long) count * Integer.BYTES > entryColumns.capacity()
        || (long) count * Float.BYTES > entryValues.capacity()
        || count > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "entries " + starts.get(0) + " to " + count + " do not fit the matrix");
    }
    IntBuffer places = ints(entryColumns, count);
    for (int row = 0; row < rows; row++) {
      int end = starts.get(row + 1);
      if (end < starts.get(row) || end > count) {
        throw new IllegalArgumentException("row " + row + " ends at entry " + end);
      }
      int previous = -1;
      for (int p = starts.get(row); p < end; p++) {
        int column = places.get(p);
        if (column <= previous || column >= columns) {
          throw new IllegalArgumentException(
              "row " + row + " has an entry of column " + column + " after " + previous);
        }
        previous = column;
      }
    }
    return count;
  }

  /** Return a users x items matrix that is one on the given cells. */
  public static SparseMatrix ofCells(BufferAllocator allocator, SparseCells cells) {
    try (Builder builder = new Builder(allocator, cells.users(), cells.items(), cells.count())) {
      cells.copyByUser(builder.starts, builder.places);
      FloatBuffer ones = floats(builder.numbers, cells.count());
      for (int p = 0; p < cells.count(); p++) {
        ones.put(p, 1);
      }
      return builder.release();
    }
  }

  /** Return the bytes of a matrix. */
  public static long bytes(int rows, long entries) {
    return (rows + 1L) * Integer.BYTES + entries * (Integer.BYTES + Float.BYTES);
  }

  private static IntBuffer ints(ArrowBuf buffer, int count) {
    return buffer.nioBuffer(0, count * Integer.BYTES).order(ByteOrder.nativeOrder()).asIntBuffer();
  }

  private static FloatBuffer floats(ArrowBuf buffer, int count) {
    return buffer.nioBuffer(0, count * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  /** Return the number of rows. */
  public int rows() {
    return rows;
  }

  /** Return the number of columns. */
  public int columns() {
    return columns;
  }

  /** Return the number of entries. */
  public int count() {
    return count;
  }

  /** Return the position of the first entry of a row. */
  public int rowStart(int row) {
    long place = Objects.checkIndex(row, rows + 1);
    return Objects.checkIndex(rowStarts.getInt(place * Integer.BYTES), count + 1);
  }

  /** Return the column of the entry at a position. */
  public int columnAt(int position) {
    long place = Objects.checkIndex(position, count);
    return Objects.checkIndex(entryColumns.getInt(place * Integer.BYTES), columns);
  }

  /** Return the value of the entry at a position. */
  public float valueAt(int position) {
    return entryValues.getFloat((long) Objects.checkIndex(position, count) * Float.BYTES);
  }

  /** Return one element: the value of its entry, or zero. */
  public float get(int row, int column) {
    int position = lowerBound(ints(entryColumns, count), rowStart(row), rowStart(row + 1), column);
    return position < rowStart(row + 1) && columnAt(position) == column ? valueAt(position) : 0;
  }

  private static int lowerBound(IntBuffer places, int start, int end, int column) {
    int low = start;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (places.get(middle) < column) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Return the starts of the rows: rows + 1 ints. The buffer stays owned by the matrix. */
  public ArrowBuf rowStarts() {
    return owned(rowStarts);
  }

  /** Return the columns of the entries as ints. The buffer stays owned by the matrix. */
  public ArrowBuf entryColumns() {
    return owned(entryColumns);
  }

  /** Return the values of the entries as floats. The buffer stays owned by the matrix. */
  public ArrowBuf entryValues() {
    return owned(entryValues);
  }

  /** Multiply all entries by a number, in place. Only its maker does so, before others see it. */
  public void scale(float factor) {
    FloatBuffer values = floats(owned(entryValues), count);
    for (int p = 0; p < count; p++) {
      values.put(p, factor * values.get(p));
    }
  }

  /**
   * Return a copy whose rows are multiplied by numbers.
   *
   * @param allocator the owner of the copy's memory
   * @param factors one number per row. Not modified.
   */
  public SparseMatrix scaledRows(BufferAllocator allocator, float[] factors) {
    try (Builder builder = new Builder(allocator, rows, columns, count)) {
      builder.starts.setBytes(0, rowStarts, 0, (rows + 1L) * Integer.BYTES);
      builder.places.setBytes(0, entryColumns, 0, (long) count * Integer.BYTES);
      FloatBuffer values = floats(entryValues, count);
      FloatBuffer scaled = floats(builder.numbers, count);
      for (int row = 0; row < rows; row++) {
        for (int p = rowStart(row); p < rowStart(row + 1); p++) {
          scaled.put(p, factors[row] * values.get(p));
        }
      }
      return builder.release();
    }
  }

  /** Return the transpose. */
  public SparseMatrix transpose(BufferAllocator allocator) {
    try (Builder builder = new Builder(allocator, columns, rows, count)) {
      IntBuffer places = ints(entryColumns, count);
      FloatBuffer values = floats(entryValues, count);
      int[] next = new int[columns + 1];
      for (int p = 0; p < count; p++) {
        next[places.get(p) + 1]++;
      }
      for (int column = 0; column < columns; column++) {
        next[column + 1] += next[column];
      }
      ints(builder.starts, columns + 1).put(0, next);
      IntBuffer newPlaces = ints(builder.places, count);
      FloatBuffer newValues = floats(builder.numbers, count);
      for (int row = 0; row < rows; row++) {
        for (int p = rowStart(row); p < rowStart(row + 1); p++) {
          int target = next[places.get(p)]++;
          newPlaces.put(target, row);
          newValues.put(target, values.get(p));
        }
      }
      return builder.release();
    }
  }

  /**
   * Return a view of the entries, for loops over many of them; valid until the matrix is closed.
   */
  Entries entries() {
    return new Entries(
        ints(rowStarts, rows + 1), ints(entryColumns, count), floats(entryValues, count));
  }

  /** The entries of a matrix. */
  record Entries(IntBuffer starts, IntBuffer columns, FloatBuffer values) {
    /**
     * Add a multiple of a part of a row: {@code sums_j += factor a_(row, first + j)}.
     *
     * @param sums as many columns as wanted. Modified.
     */
    void addRow(int row, float factor, int first, float[] sums) {
      int end = starts.get(row + 1);
      int p = starts.get(row);
      if (first > 0) {
        p = lowerBound(columns, p, end, first);
      }
      for (; p < end; p++) {
        int place = columns.get(p) - first;
        if (place >= sums.length) {
          break;
        }
        sums[place] += factor * values.get(p);
      }
    }
  }

  /**
   * Hand the memory to another allocator of the same root without copying; this matrix is closed.
   *
   * @return the same memory, owned by the target
   */
  public SparseMatrix transferTo(BufferAllocator target) {
    return new SparseMatrix(
        rows,
        columns,
        count,
        transferred(owned(rowStarts), target),
        transferred(entryColumns, target),
        transferred(entryValues, target));
  }

  private static ArrowBuf transferred(ArrowBuf buffer, BufferAllocator target) {
    ArrowBuf moved =
        buffer.getReferenceManager().transferOwnership(buffer, target).getTransferredBuffer();
    buffer.getReferenceManager().release();
    return moved;
  }

  @Override
  public void close() {
    owned(rowStarts).close();
    entryColumns.close();
    entryValues.close();
  }

  /**
   * A matrix under construction, whose rows are set in any order and by several threads. Close it
   * in any case; the matrix that was built stays open.
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder implements AutoCloseable {
    private final BufferAllocator allocator;
    private final int rows;
    private final int columns;
    private final int limit;
    private final ArrowBuf starts;
    private ArrowBuf places;
    private ArrowBuf numbers;
    private boolean released;

    /**
     * Allocate memory for full rows.
     *
     * @param limit the largest number of entries of a row
     * @throws IllegalArgumentException if the matrix could have too many entries
     */
    public static Builder ofRows(BufferAllocator allocator, int rows, int columns, int limit) {
      long entries = (long) rows * limit;
      if (limit < 0 || entries > MOST_ENTRIES) {
        throw new IllegalArgumentException(
            rows + " rows of " + limit + " entries are more than " + MOST_ENTRIES);
      }
      return new Builder(allocator, rows, columns, (int) entries, limit);
    }

    private Builder(BufferAllocator allocator, int rows, int columns, int entries) {
      this(allocator, rows, columns, entries, entries);
    }

    private Builder(BufferAllocator allocator, int rows, int columns, int entries, int limit) {
      this.allocator = allocator;
      this.rows = rows;
      this.columns = columns;
      this.limit = limit;
      this.starts = allocator.buffer((rows + 1L) * Integer.BYTES);
      try {
        starts.setZero(0, (rows + 1L) * Integer.BYTES);
        this.places = allocator.buffer(Math.max(1L, (long) entries * Integer.BYTES));
      } catch (RuntimeException e) {
        starts.close();
        throw e;
      }
      try {
        this.numbers = allocator.buffer(Math.max(1L, (long) entries * Float.BYTES));
      } catch (RuntimeException e) {
        starts.close();
        places.close();
        throw e;
      }
    }

    /**
     * Set a row, once.
     *
     * @param count the number of entries, at most the limit
     * @param entryColumns their columns, ascending. Not modified.
     * @param entryValues their values. Not modified.
     */
    public void setRow(int row, int count, int[] entryColumns, float[] entryValues) {
      Objects.checkIndex(row, rows);
      if (count > limit) {
        throw new IllegalArgumentException("a row of " + count + " entries is above " + limit);
      }
      long first = (long) row * limit * Integer.BYTES;
      places
          .nioBuffer(first, count * Integer.BYTES)
          .order(ByteOrder.nativeOrder())
          .asIntBuffer()
          .put(entryColumns, 0, count);
      numbers
          .nioBuffer(first, count * Float.BYTES)
          .order(ByteOrder.nativeOrder())
          .asFloatBuffer()
          .put(entryValues, 0, count);
      starts.setInt((row + 1L) * Integer.BYTES, count);
    }

    /** Close the gaps between the rows, and return the matrix. */
    public SparseMatrix build() {
      int end = 0;
      for (int row = 0; row < rows; row++) {
        int count = starts.getInt((row + 1L) * Integer.BYTES);
        // Rows only move towards the beginning, so none is overwritten before it has moved.
        move(places, row, end, count);
        move(numbers, row, end, count);
        end += count;
        starts.setInt((row + 1L) * Integer.BYTES, end);
      }
      if (end < (long) rows * limit / 2) {
        places = shortened(places, end);
        numbers = shortened(numbers, end);
      }
      return release();
    }

    private void move(ArrowBuf buffer, int row, int target, int count) {
      long from = (long) row * limit;
      if (from != target) {
        IntBuffer ints = ints(buffer, (int) (from + count));
        ints.put(target, ints, (int) from, count);
      }
    }

    private ArrowBuf shortened(ArrowBuf buffer, int count) {
      long bytes = (long) count * Integer.BYTES;
      ArrowBuf copy = allocator.buffer(Math.max(1L, bytes));
      copy.setBytes(0, buffer, 0, bytes);
      buffer.close();
      return copy;
    }

    private SparseMatrix release() {
      released = true;
      return of(rows, columns, starts, places, numbers);
    }

    @Override
    public void close() {
      if (!released) {
        released = true;
        starts.close();
        places.close();
        numbers.close();
      }
    }
  }
}
