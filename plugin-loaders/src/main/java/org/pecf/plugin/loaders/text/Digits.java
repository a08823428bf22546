package org.pecf.plugin.loaders.text;

import java.util.OptionalLong;

/** Whole numbers in decimal digits. */
public final class Digits {
  private static final int MOST_DIGITS = 19;

  private Digits() {}

  /** Return the 64-bit number that one or more digits stand for, or -1 if other text does not. */
  static long number(char[] text, int from, int to) {
    if (from == to || to - from > MOST_DIGITS) {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    // Nineteen digits beyond the range have wrapped round.
    return Math.max(-1, number);
  }

  /** Return the number of 63 bits that digits without leading zeros stand for, or -1. */
  public static long unsigned(char[] text, int from, int to) {
    return to - from > 1 && text[from] == '0' ? -1 : number(text, from, to);
  }

  /**
   * Return the 64-bit integer that a text spells exactly as {@link Long#toString(long)} does: no
   * plus, no leading zeros, no minus zero, within the range.
   */
  public static OptionalLong integer(String text) {
    try {
      long number = Long.parseLong(text);
      return Long.toString(number).equals(text) ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
