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
  public static final int PADDING = 32;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030303030303030L;
  private static final long LINE_FEEDS = 0x0a0a0a0a0a0a0a0aL;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long ABOVE_NINE = 0x7676767676767676L;

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
  static long word(byte[] bytes, int index) {
    return (long) WORD.get(bytes, index);
  }

  /**
   * Return the number of digits that a word begins with: 0 to 8. A byte beyond ASCII carries into
   * the bytes after it, not into those before.
   */
  static int count(long word) {
    long digits = word ^ ZEROS;
    long others = (digits + ABOVE_NINE | digits) & HIGH_BITS;
    return Long.numberOfTrailingZeros(others) >>> 3;
  }

  /**
   * Return the number that the first 1 to 8 digits of a word stand for: combine pairs, then fours,
   * then all eight.
   */
  static long value(long word, int count) {
    long digits = (word ^ ZEROS) << Long.SIZE - Byte.SIZE * count;
    long pairs = digits * ((10 << 8) + 1) >>> 8 & 0x00ff00ff00ff00ffL;
    long fours = pairs * ((100 << 16) + 1) >>> 16 & 0x0000ffff0000ffffL;
    return fours * ((10_000L << 32) + 1) >>> 32;
  }

  /** Return the number of line feeds in a range. */
  static long lineFeeds(byte[] bytes, int from, int to) {
    long count = 0;
    int index = from;
    for (; index <= to - Long.BYTES; index += Long.BYTES) {
      long others = word(bytes, index) ^ LINE_FEEDS;
      // The high bit of each byte that is not zero.
      long high = (others & ~HIGH_BITS) + ~HIGH_BITS | others;
      count += Long.bitCount(~high & HIGH_BITS);
    }
    for (; index < to; index++) {
      count += bytes[index] == '\n' ? 1 : 0;
    }
    return count;
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
      if (bytes[i] < '0' || bytes[i] > '9') {
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
