package org.pecf.loaders.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Read decimal numbers from bytes, eight at a time.
 *
 * <p>A word holds eight consecutive bytes, the first in its lowest byte.
 */
public final class Digits {
  /** How many bytes a buffer must have beyond the last byte that is looked at. */
  public static final int PADDING = 64;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030303030303030L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long ABOVE_NINE = 0x7676767676767676L;

  private Digits() {}

  /** Return the word at an index. */
  public static long word(byte[] bytes, int index) {
    return (long) WORD.get(bytes, index);
  }

  /** Return how many digits a word begins with: 0 to 8. */
  public static int count(long word) {
    return Long.numberOfTrailingZeros(others(word)) >>> 3;
  }

  /** Return whether a word is digits and nothing else. */
  static boolean only(long word) {
    return others(word) == 0;
  }

  /** Return whether a word begins with a digit other than zero. */
  static boolean beginsPositive(long word) {
    return ((word ^ ZEROS) - 1 & 0xff) < 9;
  }

  /** Return whether a byte is a digit. */
  static boolean isDigit(byte value) {
    return value >= '0' && value <= '9';
  }

  /**
   * Set the high bit of the first byte that is no digit, and no bit before it. The bytes behind it
   * do not count: a carry out of one beyond ASCII may change the next.
   */
  private static long others(long word) {
    long digits = word ^ ZEROS;
    return (digits + ABOVE_NINE | digits) & HIGH_BITS;
  }

  /** Return the number that the first digits of a word write; there must be 1 to 8. */
  public static long value(long word, int count) {
    return sum((word ^ ZEROS) << Long.SIZE - Byte.SIZE * count);
  }

  /** Return the number that the eight digits of a word write. */
  static long value(long word) {
    return sum(word ^ ZEROS);
  }

  /**
   * Return the number that the values of eight digits, the first in the lowest byte, make: by
   * pairs, then fours, then all eight.
   */
  static long sum(long digits) {
    long pairs = digits * ((10 << 8) + 1) >>> 8 & 0x00ff00ff00ff00ffL;
    long fours = pairs * ((100 << 16) + 1) >>> 16 & 0x0000ffff0000ffffL;
    return fours * ((10_000L << 32) + 1) >>> 32;
  }

  /**
   * Return whether bytes write a 64-bit integer in the one way {@link Long#toString(long)} does: no
   * plus, no leading zeros, no minus zero, nothing beyond the range.
   */
  public static boolean canonical(byte[] bytes, int from, int to) {
    int first = from < to && bytes[from] == '-' ? from + 1 : from;
    int length = to - first;
    if (length < 1 || length > 19) {
      return false;
    }
    if (bytes[first] == '0') {
      return length == 1 && first == from;
    }
    for (int i = first; i < to; i++) {
      if (!isDigit(bytes[i])) {
        return false;
      }
    }
    // Nineteen digits may pass the range: then the magnitude has wrapped round.
    long magnitude = magnitude(bytes, first, to);
    return magnitude >= 0 || (first > from && magnitude == Long.MIN_VALUE);
  }

  /** Return the integer that bytes write; they must be {@linkplain #canonical canonical}. */
  public static long integer(byte[] bytes, int from, int to) {
    return bytes[from] == '-' ? -magnitude(bytes, from + 1, to) : magnitude(bytes, from, to);
  }

  /** Return whether bytes are one or more digits and nothing else. */
  public static boolean only(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isDigit(bytes[i])) {
        return false;
      }
    }
    return from < to;
  }

  private static long magnitude(byte[] bytes, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }
}
