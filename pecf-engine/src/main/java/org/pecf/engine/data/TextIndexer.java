package org.pecf.engine.data;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.ByteFunctionHelpers;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.PecfException;
import org.pecf.api.memory.Side;

/** A table of ids that are texts, compared by their bytes. */
final class TextIndexer extends IdIndexer {
  /** The bytes of all ids, one after another. */
  private final OffHeapColumn bytes;

  /** The end of each id, which starts at the end of the one before. */
  private final OffHeapColumn ends;

  private ArrowBuf candidates;
  private long candidateStart;
  private long candidateEnd;

  TextIndexer(BufferAllocator allocator) {
    super(allocator);
    this.candidates = allocator.getEmpty();
    this.bytes = column(Byte.BYTES);
    this.ends = column(Integer.BYTES);
  }

  @Override
  void number(FieldVector ids, int count, OffHeapColumn numbers) {
    candidates = ids.getDataBuffer();
    ArrowBuf offsets = ids.getOffsetBuffer();
    for (int k = 0; k < count; k++) {
      candidateStart = offsets.getInt((long) k * Integer.BYTES);
      candidateEnd = offsets.getInt((k + 1L) * Integer.BYTES);
      numbers.set(k, number(hash(candidates, candidateStart, candidateEnd)));
    }
    candidates = allocator.getEmpty();
  }

  private static int hash(ArrowBuf data, long start, long end) {
    long hash = end - start;
    long at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = (hash ^ data.getLong(at)) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 32;
    }
    for (; at < end; at++) {
      hash = (hash ^ (data.getByte(at) & 0xff)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  @Override
  int[] ranks() {
    int[] ascending = ascending();
    int[] ranks = new int[ascending.length];
    for (int rank = 0; rank < ranks.length; rank++) {
      ranks[ascending[rank]] = rank;
    }
    return ranks;
  }

  /** Return the numbers sorted by their ids, by a bottom-up merge sort of off-heap ids. */
  private int[] ascending() {
    int[] source = new int[size()];
    for (int number = 0; number < source.length; number++) {
      source[number] = number;
    }
    int[] target = new int[source.length];
    for (long width = 1; width < source.length; width *= 2) {
      for (long start = 0; start < source.length; start += 2 * width) {
        int middle = (int) Math.min(start + width, source.length);
        int end = (int) Math.min(start + 2 * width, source.length);
        merge(source, (int) start, middle, end, target);
      }
      int[] swap = source;
      source = target;
      target = swap;
    }
    return source;
  }

  private void merge(int[] source, int start, int middle, int end, int[] target) {
    int left = start;
    int right = middle;
    for (int k = start; k < end; k++) {
      boolean fromLeft =
          left < middle && (right == end || compare(source[left], source[right]) <= 0);
      target[k] = fromLeft ? source[left++] : source[right++];
    }
  }

  private int compare(int left, int right) {
    return ByteFunctionHelpers.compare(
        bytes.buffer(), start(left), end(left), bytes.buffer(), start(right), end(right));
  }

  @Override
  FieldVector ids(Side side, int[] ranks, boolean[] kept) {
    int[] numbers = new int[ranks.length];
    for (int number = 0; number < ranks.length; number++) {
      numbers[ranks[number]] = number;
    }
    long length = 0;
    int size = 0;
    for (int rank = 0; rank < kept.length; rank++) {
      if (kept[rank]) {
        length += end(numbers[rank]) - start(numbers[rank]);
        size++;
      }
    }
    VarCharVector ids = new VarCharVector(side.name().toLowerCase(Locale.ROOT), allocator);
    try {
      ids.allocateNew(length, size);
      int index = 0;
      for (int rank = 0; rank < kept.length; rank++) {
        if (kept[rank]) {
          int start = start(numbers[rank]);
          ids.setSafe(index++, start, end(numbers[rank]) - start, bytes.buffer());
        }
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
    byte[] text = new byte[end(number) - start(number)];
    bytes.buffer().getBytes(start(number), text);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Override
  protected boolean matches(int number) {
    return ByteFunctionHelpers.equal(
            bytes.buffer(), start(number), end(number), candidates, candidateStart, candidateEnd)
        == 1;
  }

  @Override
  protected void store(int number) {
    long start = start(number);
    long end = start + candidateEnd - candidateStart;
    if (end > Integer.MAX_VALUE) {
      throw PecfException.resources(
          "The different text ids take more than 2048 MiB. Shorten them, or use integers as ids.");
    }
    bytes.grow(allocator, end);
    ends.grow(allocator, number + 1L);
    bytes.buffer().setBytes(start, candidates, candidateStart, candidateEnd - candidateStart);
    ends.set(number, (int) end);
  }

  @Override
  protected int hash(int number) {
    return hash(bytes.buffer(), start(number), end(number));
  }

  private int start(int number) {
    return number == 0 ? 0 : ends.intAt(number - 1L);
  }

  private int end(int number) {
    return ends.intAt(number);
  }
}
