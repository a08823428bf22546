package org.pecf.plugin.loaders.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decimal numbers in ASCII, read eight bytes at a time.
 *
 * <p>A word holds eight consecutive bytes, the first in its lowest byte.
 */
public final class Digits {
  /** The number of bytes that a buffer must have behind its last meaningful byte. */
  public static final int PADDING = 64;

  /** The number of bytes examined together. */
  static final int WINDOW = 32;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030303030303030L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long ABOVE_NINE = 0x7676767676767676L;
  private static final long[] POWERS = powers();

  private Digits() {}

  /** Return the word that begins with the characters of an ASCII text and is zero behind them. */
  static long word(String text) {
    long word = 0;
    for (int i = 0; i < text.length(); i++) {
      word |= (long) text.charAt(i) << i * Byte.SIZE;
    }
    return word;
  }

  /** Return the word at an index. */
  public static long word(byte[] bytes, int index) {
    return (long) WORD.get(bytes, index);
  }

  /** Return the number of digits that a word begins with: 0 to 8. */
  public static int count(long word) {
    return Long.numberOfTrailingZeros(others(word)) >>> 3;
  }

  /**
   * Return which of the {@link #WINDOW} bytes of four consecutive words are not digits: bit i
   * stands for byte i. The bit of a digit after a byte beyond ASCII may be set as well.
   */
  static int window(long first, long second, long third, long fourth) {
    return (int) (gather(first) | gather(second) << 8 | gather(third) << 16 | gather(fourth) << 24);
  }

  /** Return one bit per byte, set if the byte is not a digit or follows a byte beyond ASCII. */
  private static long gather(long word) {
    // The product brings the high bit of byte i to bit 56 + i.
    return (others(word) >>> 7) * 0x0102040810204080L >>> 56;
  }

  /** Return the number that 1 to 16 digits stand for. */
  static long number(byte[] bytes, int from, int count) {
    long word = word(bytes, from);
    return count <= 8
        ? value(word, count)
        : value(word, 8) * POWERS[count - 8] + value(word(bytes, from + 8), count - 8);
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
   * Set the high bit of each byte that is not a digit. A byte beyond ASCII carries into the bytes
   * after it, so digits there may be marked as well; digits before it are not.
   */
  private static long others(long word) {
    long digits = word ^ ZEROS;
    return (digits + ABOVE_NINE | digits) & HIGH_BITS;
  }

  /** Return the number that the first 1 to 8 digits of a word stand for. */
  public static long value(long word, int count) {
    return sum((word ^ ZEROS) << Long.SIZE - Byte.SIZE * count);
  }

  /**
   * Return the number that eight digit values, the first in the lowest byte, stand for: combine
   * pairs, then fours, then all eight.
   */
  static long sum(long digits) {
    long pairs = digits * ((10 << 8) + 1) >>> 8 & 0x00ff00ff00ff00ffL;
    long fours = pairs * ((100 << 16) + 1) >>> 16 & 0x0000ffff0000ffffL;
    return fours * ((10_000L << 32) + 1) >>> 32;
  }

  /** Return ten to the given power, 0 to 18. */
  static long power(int exponent) {
    return POWERS[exponent];
  }

  /**
   * Return whether bytes spell a 64-bit integer exactly as {@link Long#toString(long)} does: no
   * plus, no leading zeros, no minus zero, within the range.
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
    if (!only(bytes, first, to)) {
      return false;
    }
    // Nineteen digits may exceed the range: then the magnitude has wrapped round.
    long magnitude = magnitude(bytes, first, to);
    return magnitude >= 0 || (first > from && magnitude == Long.MIN_VALUE);
  }

  /** Return the integer that {@linkplain #canonical canonical} bytes stand for. */
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

  private static long[] powers() {
    long[] powers = new long[19];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }
}
