package org.pecf.plugin.loaders.text;

import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/** Ratings by column, on the heap; the arrays are reused for the next batch. */
public final class RatingColumns {
  private static final int FIRST_CAPACITY = 1024;

  /** The bytes of texts from which on a batch is published. */
  private static final int MUCH_TEXT = 1 << 22;

  private final RatingSchema schema;
  final Ids users;
  final Ids items;
  float[] ratings = {};
  long[] times = {};
  private int capacity;
  private int count;

  /** Create empty columns. */
  public RatingColumns(RatingSchema schema) {
    this.schema = schema;
    this.users = new Ids(schema.users());
    this.items = new Ids(schema.items());
  }

  /** Return the number of ratings. */
  public int count() {
    return count;
  }

  /** Make room for more ratings. */
  public void reserve(int more) {
    if (Math.addExact(count, more) > capacity) {
      capacity = Math.max(count + more, Math.max(FIRST_CAPACITY, 2 * capacity));
      users.enlarge(capacity);
      items.enlarge(capacity);
      ratings = schema.rated() ? Arrays.copyOf(ratings, capacity) : ratings;
      times = schema.timed() ? Arrays.copyOf(times, capacity) : times;
    }
  }

  /** Return whether there is the given number of ratings, or much text. */
  boolean isFull(int most) {
    return count >= most || users.muchText || items.muchText;
  }

  /** Count the rating whose columns were set. */
  void next() {
    count++;
  }

  /** Add a positive with integer ids; there must be room for it. */
  public void add(long user, long item) {
    users.numbers[count] = user;
    items.numbers[count] = item;
    count++;
  }

  /** Set the integer id of the item of the next rating; there must be room for it. */
  public void setItem(long item) {
    items.numbers[count] = item;
  }

  /** Publish the ratings, if there are any, and start again with none. */
  public void publish(RatingSink sink, long ordinal) {
    if (count == 0) {
      return;
    }
    RatingBatch batch = sink.batch(schema, 0);
    try {
      users.copyTo(batch.users(), count);
      items.copyTo(batch.items(), count);
      batch.ratings().ifPresent(vector -> Vectors.replace(vector, ratings, count));
      batch.times().ifPresent(vector -> Vectors.replace(vector, times, count));
    } catch (OutOfMemoryException e) {
      batch.close();
      // The sink explains in its own words which memory it cannot provide.
      sink.batch(schema, count).close();
      throw e;
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    sink.publish(ordinal, batch, count);
    count = 0;
    users.muchText = false;
    items.muchText = false;
  }

  /** A column of ids. */
  static final class Ids {
    private final IdKind kind;
    long[] numbers = {};
    private byte[] text = {};
    private boolean muchText;

    /** The ends of the texts; element 0 is the start of the first. */
    private int[] ends = {0};

    private Ids(IdKind kind) {
      this.kind = kind;
    }

    IdKind kind() {
      return kind;
    }

    private void enlarge(int capacity) {
      if (kind == IdKind.INTEGER) {
        numbers = Arrays.copyOf(numbers, capacity);
      } else {
        ends = Arrays.copyOf(ends, capacity + 1);
      }
    }

    /**
     * Set an element of a text column; elements are set in order.
     *
     * @param source the bytes of the text as characters. Not modified.
     */
    void text(int index, char[] source, int from, int to) {
      int at = ends[index];
      int end = Math.addExact(at, to - from);
      if (text.length < end) {
        text = Arrays.copyOf(text, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * end));
      }
      for (int i = from; i < to; i++) {
        text[at++] = (byte) source[i];
      }
      ends[index + 1] = end;
      muchText |= end >= MUCH_TEXT;
    }

    private void copyTo(FieldVector vector, int count) {
      if (kind == IdKind.INTEGER) {
        Vectors.replace((BigIntVector) vector, numbers, count);
        return;
      }
      VarCharVector texts = (VarCharVector) vector;
      texts.allocateNew(ends[count], count);
      texts
          .getOffsetBuffer()
          .nioBuffer(0, (count + 1) * Integer.BYTES)
          .order(ByteOrder.nativeOrder())
          .asIntBuffer()
          .put(ends, 0, count + 1);
      texts.getDataBuffer().setBytes(0, text, 0, ends[count]);
      Vectors.markPresent(texts, count);
      texts.setLastSet(count - 1);
      texts.setValueCount(count);
    }
  }
}
