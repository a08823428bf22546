package org.pecf.api.memory;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
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
    try (Buffers buffers = new Buffers(allocator, cells.users(), cells.items(), cells.count())) {
      cells.copyByUser(buffers.starts, buffers.places);
      FloatBuffer ones = floats(buffers.numbers, cells.count());
      for (int p = 0; p < cells.count(); p++) {
        ones.put(p, 1);
      }
      return buffers.release();
    }
  }

  /** Return the bytes of a matrix. */
  public static long bytes(int rows, long entries) {
    return (rows + 1L) * Integer.BYTES + entries * (Integer.BYTES + Float.BYTES);
  }

  private static IntBuffer ints(ArrowBuf buffer, int count) {
    return ints(buffer, 0, count);
  }

  private static IntBuffer ints(ArrowBuf buffer, long first, int count) {
    return buffer
        .nioBuffer(first, count * Integer.BYTES)
        .order(ByteOrder.nativeOrder())
        .asIntBuffer();
  }

  private static FloatBuffer floats(ArrowBuf buffer, int count) {
    return floats(buffer, 0, count);
  }

  private static FloatBuffer floats(ArrowBuf buffer, long first, int count) {
    return buffer
        .nioBuffer(first, count * Float.BYTES)
        .order(ByteOrder.nativeOrder())
        .asFloatBuffer();
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
    int end = rowStart(row + 1);
    int position = entries().lowerBound(rowStart(row), end, column);
    return position < end && columnAt(position) == column ? valueAt(position) : 0;
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
    try (Buffers buffers = new Buffers(allocator, rows, columns, count)) {
      buffers.starts.setBytes(0, rowStarts, 0, (rows + 1L) * Integer.BYTES);
      buffers.places.setBytes(0, entryColumns, 0, (long) count * Integer.BYTES);
      FloatBuffer values = floats(entryValues, count);
      FloatBuffer scaled = floats(buffers.numbers, count);
      for (int row = 0; row < rows; row++) {
        for (int p = rowStart(row); p < rowStart(row + 1); p++) {
          scaled.put(p, factors[row] * values.get(p));
        }
      }
      return buffers.release();
    }
  }

  /** Return the transpose. */
  public SparseMatrix transpose(BufferAllocator allocator) {
    try (Buffers buffers = new Buffers(allocator, columns, rows, count)) {
      IntBuffer places = ints(entryColumns, count);
      FloatBuffer values = floats(entryValues, count);
      int[] next = new int[columns + 1];
      for (int p = 0; p < count; p++) {
        next[places.get(p) + 1]++;
      }
      for (int column = 0; column < columns; column++) {
        next[column + 1] += next[column];
      }
      ints(buffers.starts, columns + 1).put(0, next);
      IntBuffer newPlaces = ints(buffers.places, count);
      FloatBuffer newValues = floats(buffers.numbers, count);
      for (int row = 0; row < rows; row++) {
        for (int p = rowStart(row); p < rowStart(row + 1); p++) {
          int target = next[places.get(p)]++;
          newPlaces.put(target, row);
          newValues.put(target, values.get(p));
        }
      }
      return buffers.release();
    }
  }

  /**
   * Return a view of the entries, for loops over many of them; valid until the matrix is closed.
   */
  Entries entries() {
    // Arrow refuses to read what is closed; the view itself does not look.
    rowStarts.getInt((long) rows * Integer.BYTES);
    return new Entries(
        rows,
        columns,
        count,
        rowStarts.memoryAddress(),
        entryColumns.memoryAddress(),
        entryValues.memoryAddress());
  }

  /** The entries of a matrix, by address: every place is checked before it is read. */
  record Entries(int rows, int width, int count, long starts, long columns, long values) {
    /** Return the position of the first entry of a row. */
    int start(int row) {
      long place = Objects.checkIndex(row, rows + 1);
      return Objects.checkIndex(MemoryUtil.getInt(starts + place * Integer.BYTES), count + 1);
    }

    /** Return the column of an entry. */
    int column(int position) {
      return MemoryUtil.getInt(columns + (long) position * Integer.BYTES);
    }

    /** Return the value of an entry. */
    float value(int position) {
      return Float.intBitsToFloat(MemoryUtil.getInt(values + (long) position * Float.BYTES));
    }

    /**
     * Add a multiple of a part of a row: {@code sums_j += factor a_(row, first + j)}.
     *
     * @param sums as many columns as wanted. Modified.
     */
    void addRow(int row, float factor, int first, float[] sums) {
      int end = start(row + 1);
      int p = start(row);
      if (first > 0) {
        p = lowerBound(p, end, first);
      }
      if (first == 0 && sums.length == width) {
        for (; p < end; p++) {
          sums[column(p)] += factor * value(p);
        }
        return;
      }
      for (; p < end; p++) {
        int place = column(p) - first;
        if (place >= sums.length) {
          break;
        }
        sums[place] += factor * value(p);
      }
    }

    private int lowerBound(int start, int end, int column) {
      int low = start;
      int high = end;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (column(middle) < column) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
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

  /** The three buffers of a matrix, closed unless they are handed to one. */
  private static final class Buffers implements AutoCloseable {
    private final int rows;
    private final int columns;
    private final ArrowBuf starts;
    private final ArrowBuf places;
    private final ArrowBuf numbers;
    private boolean released;

    Buffers(BufferAllocator allocator, int rows, int columns, int entries) {
      this.rows = rows;
      this.columns = columns;
      List<ArrowBuf> buffers = new ArrayList<>();
      try {
        buffers.add(allocator.buffer((rows + 1L) * Integer.BYTES));
        buffers.add(allocator.buffer(Math.max(1L, (long) entries * Integer.BYTES)));
        buffers.add(allocator.buffer(Math.max(1L, (long) entries * Float.BYTES)));
      } catch (RuntimeException e) {
        buffers.forEach(ArrowBuf::close);
        throw e;
      }
      this.starts = buffers.get(0);
      this.places = buffers.get(1);
      this.numbers = buffers.get(2);
    }

    SparseMatrix release() {
      released = true;
      return of(rows, columns, starts, places, numbers);
    }

    @Override
    public void close() {
      if (!released) {
        starts.close();
        places.close();
        numbers.close();
      }
    }
  }

  /**
   * A matrix under construction, whose rows are set in any order and by several threads. Close it
   * in any case; the matrix that was built stays open.
   *
   * <p>It takes memory as entries come, and as much again when the matrix is built.
   */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class Builder implements AutoCloseable {
    /** The entries for which memory is taken at once, at most. */
    private static final int SLAB = 1 << 18;

    private static final int LEAST_SLAB = 1 << 8;

    private final BufferAllocator allocator;
    private final int rows;
    private final int columns;
    private final int limit;
    private final int[] counts;
    private final int[] slabOf;
    private final int[] placeIn;
    private final List<ArrowBuf> slabs = new ArrayList<>();
    private int slabEnd;
    private int used;
    private long total;

    private Builder(BufferAllocator allocator, int rows, int columns, int limit) {
      this.allocator = allocator;
      this.rows = rows;
      this.columns = columns;
      this.limit = limit;
      this.counts = new int[rows];
      this.slabOf = new int[rows];
      this.placeIn = new int[rows];
    }

    /**
     * Begin a matrix whose rows are empty.
     *
     * @param limit the largest number of entries of a row
     */
    public static Builder ofRows(BufferAllocator allocator, int rows, int columns, int limit) {
      if (limit < 0) {
        throw new IllegalArgumentException("rows cannot have " + limit + " entries");
      }
      return new Builder(allocator, rows, columns, limit);
    }

    /**
     * Set a row, once.
     *
     * @param count the number of entries, at most the limit
     * @param entryColumns their columns, ascending. Not modified.
     * @param entryValues their values. Not modified.
     * @throws IllegalArgumentException if the row or the matrix has too many entries
     */
    public void setRow(int row, int count, int[] entryColumns, float[] entryValues) {
      Objects.checkIndex(row, rows);
      if (count > limit) {
        throw new IllegalArgumentException("a row of " + count + " entries is above " + limit);
      }
      ArrowBuf slab = reserve(row, count);
      long first = (long) placeIn[row] * (Integer.BYTES + Float.BYTES);
      ints(slab, first, count).put(entryColumns, 0, count);
      floats(slab, first + (long) count * Integer.BYTES, count).put(entryValues, 0, count);
      counts[row] = count;
    }

    private synchronized ArrowBuf reserve(int row, int count) {
      total += count;
      if (total > MOST_ENTRIES) {
        throw new IllegalArgumentException(
            "the entries of " + rows + " rows are more than " + MOST_ENTRIES);
      }
      if (slabs.isEmpty() || used + count > slabEnd) {
        // As much again as there is already.
        int size = (int) Math.max(count, Math.min(SLAB, Math.max(LEAST_SLAB, total)));
        slabs.add(allocator.buffer(size * (long) (Integer.BYTES + Float.BYTES)));
        slabEnd = size;
        used = 0;
      }
      slabOf[row] = slabs.size() - 1;
      placeIn[row] = used;
      used += count;
      return slabs.get(slabs.size() - 1);
    }

    /**
     * Set a row, once, to the strongest of some entries, by absolute value; of equally strong ones
     * to those of the first columns.
     *
     * @param count the number of entries to choose from
     * @param entryColumns their columns, in any order, none twice. Not modified.
     * @param values the value of every column of the matrix. Not modified.
     * @return the sum of the absolute values of the entries that the row has now
     */
    public double setStrongest(int row, int count, int[] entryColumns, float[] values) {
      long[] keys = new long[count];
      for (int k = 0; k < count; k++) {
        int column = entryColumns[k];
        int strength = Float.floatToRawIntBits(Math.abs(values[column]));
        keys[k] = (long) ~strength << Integer.SIZE | column;
      }
      int most = Math.min(count, limit);
      if (most < count && most > 0) {
        Selection.select(keys, count, most);
      }
      BitSet chosen = new BitSet(columns);
      for (int k = 0; k < most; k++) {
        chosen.set((int) keys[k]);
      }
      int[] rowColumns = new int[most];
      float[] rowValues = new float[most];
      double sum = 0;
      int place = 0;
      for (int column = chosen.nextSetBit(0); column >= 0; column = chosen.nextSetBit(column + 1)) {
        rowColumns[place] = column;
        rowValues[place++] = values[column];
        sum += Math.abs(values[column]);
      }
      setRow(row, most, rowColumns, rowValues);
      return sum;
    }

    /** Lay the rows out in order, and return the matrix. */
    public SparseMatrix build() {
      try (Buffers buffers = new Buffers(allocator, rows, columns, (int) total)) {
        int end = 0;
        buffers.starts.setInt(0, 0);
        for (int row = 0; row < rows; row++) {
          long bytes = (long) counts[row] * Integer.BYTES;
          long target = (long) end * Integer.BYTES;
          if (bytes > 0) {
            ArrowBuf slab = slabs.get(slabOf[row]);
            long first = (long) placeIn[row] * (Integer.BYTES + Float.BYTES);
            buffers.places.setBytes(target, slab, first, bytes);
            buffers.numbers.setBytes(target, slab, first + bytes, bytes);
          }
          end += counts[row];
          buffers.starts.setInt((row + 1L) * Integer.BYTES, end);
        }
        return buffers.release();
      }
    }

    @Override
    public void close() {
      slabs.forEach(ArrowBuf::close);
      slabs.clear();
    }
  }
}
