package org.pecf.plugin.loaders.text;

import java.util.Arrays;

/**
 * A reader of lines in the usual plain form, eight bytes at a time: user, item, rating and time in
 * this order, of which the last or the last two may be missing, as unsigned numbers without quotes.
 *
 * <p>Lines resemble those before them: they mostly come grouped by user, their ratings have equally
 * many digits, and their times begin alike. So a line is compared with the expected one, a word at
 * a time, and parsed only where it differs. The processor predicts such comparisons: it starts on
 * the next line while it still converts the numbers of this one, and waits for nothing but the
 * length of the item.
 */
final class PlainLines {
  /** The most lines to read before trying again whether they are as expected. */
  private static final int LONGEST_DETOUR = 63;

  /** A word that equals no text, whether under an empty mask or as digits. */
  private static final long NEVER = -1;

  private static final long LOW_HALVES = 0x0f0f0f0f0f0f0f0fL;
  private static final long SIXES = 0x0606060606060606L;

  /** The number of digits of a time that are converted in each line; those before are expected. */
  private static final int LAST_DIGITS = 7;

  private static final long LAST_POWER = 10_000_000;

  /** The last digits, and the bits of them and of the byte behind them that may not differ. */
  private static final long LAST_DIGITS_TEXT = 0x0030303030303030L;

  private static final long LAST_SIXES = 0x0006060606060606L;
  private static final long LAST_MASK = 0xfff0f0f0f0f0f0f0L;

  private final LineWindow window;
  private final boolean rated;
  private final boolean timed;
  private final int step;
  private final long delimiter;
  private final long delimiterMask;
  private final long ratingFactor;

  /** The expected user, with the delimiter. */
  private long userText = NEVER;

  private long userMask;
  private int userLength;
  private long user;

  /**
   * The expected text between the item and the last digits of the time: a delimiter, a rating of
   * one digit or of two with a point between them, a delimiter, and the first digits of the time.
   * Initially a text that cannot occur.
   */
  private long middleText;

  private long middleMask = -1;
  private long middleSixes;
  private int middleLength;
  private long ratingMask;
  private long firstDigits;

  /** The last digits of a time, which may be any, and the expected end of the line. */
  private long lastText = NEVER;

  private int restLength;

  /**
   * Create a reader.
   *
   * @param delimiter one or two ASCII characters, no digits or points
   * @param columns the number of columns, out of the four: 2 to 4
   */
  PlainLines(String delimiter, int columns) {
    this.window = new LineWindow(delimiter, columns);
    this.rated = columns > 2;
    this.timed = columns > 3;
    this.step = delimiter.length();
    this.delimiter = Digits.word(delimiter);
    this.delimiterMask = first(step);
    this.ratingFactor = (10L << 56 | 1L << 40) >>> step * Byte.SIZE;
  }

  /**
   * Read plain lines.
   *
   * @param ratings receives them; there must be room. Modified.
   * @return the index of the first line that is not plain, or the end
   */
  int read(byte[] bytes, int from, int to, RatingColumns ratings) {
    int line = from;
    int detour = 0;
    while (line < to) {
      int expected = expectedLines(bytes, line, to, ratings);
      detour = expected > line ? 0 : Math.min(2 * detour + 1, LONGEST_DETOUR);
      line = expected < to ? anyLine(bytes, expected, ratings) : to;
      if (line < 0) {
        return expected;
      }
      line = window.read(bytes, line, to, detour, ratings);
    }
    return line;
  }

  /** Read lines while they are as expected; return the index of the first that is not. */
  private int expectedLines(byte[] bytes, int from, int to, RatingColumns ratings) {
    long[] items = ratings.items.numbers;
    float[] values = ratings.ratings;
    long[] times = ratings.times;
    int count = ratings.count;
    int line = from;
    while (line < to) {
      if ((Digits.word(bytes, line) & userMask) != userText) {
        break;
      }
      int position = line + userLength;
      long word = Digits.word(bytes, position);
      int digits = Digits.count(word);
      position += digits;
      // The difference is the values of digits: with six added, those above nine would reach
      // sixteen.
      long middle = Digits.word(bytes, position) ^ middleText;
      long last = Digits.word(bytes, position + middleLength) ^ lastText;
      int next = position + restLength;
      long others =
          (middle + middleSixes | middle) & middleMask | (last + LAST_SIXES | last) & LAST_MASK;
      if (others != 0 || bytes[next - 1] != '\n' || !Digits.beginsPositive(word)) {
        break;
      }
      items[count] = Digits.value(word, digits);
      // Ten times the first digit plus the second, in the highest byte.
      values[count] = (int) ((middle & ratingMask) * ratingFactor >>> 56) / 10f;
      times[count] = firstDigits + Digits.sum(last << Byte.SIZE);
      count++;
      line = next;
    }
    Arrays.fill(ratings.users.numbers, ratings.count, count, user);
    ratings.count = count;
    return line;
  }

  /**
   * Read a plain line regardless of expectations, and expect the next to resemble it.
   *
   * @return the index of the next line, or -1 if this one is not plain
   */
  private int anyLine(byte[] bytes, int line, RatingColumns ratings) {
    if (!user(bytes, line)) {
      return -1;
    }
    int position = line + userLength;
    long word = Digits.word(bytes, position);
    int digits = Digits.count(word);
    if (!canonical(word, digits)) {
      return -1;
    }
    int next = rest(bytes, position + digits, ratings);
    if (next >= 0) {
      ratings.users.numbers[ratings.count] = user;
      ratings.items.numbers[ratings.count] = Digits.value(word, digits);
      ratings.count++;
    }
    return next;
  }

  /** Read a user, and expect the same in the next line; return whether it is plain. */
  private boolean user(byte[] bytes, int line) {
    long word = Digits.word(bytes, line);
    int digits = Digits.count(word);
    if (!canonical(word, digits) || !delimited(bytes, line + digits)) {
      return false;
    }
    user = Digits.value(word, digits);
    userLength = digits + step;
    boolean fits = userLength <= Long.BYTES;
    userMask = fits ? first(userLength) : 0;
    userText = fits ? word & userMask : NEVER;
    return true;
  }

  /**
   * Read the columns after the item.
   *
   * @param position the index after the item
   * @return the index of the next line, or -1 if this one is not plain
   */
  private int rest(byte[] bytes, int position, RatingColumns ratings) {
    int end = position;
    if (rated) {
      if (!delimited(bytes, position)) {
        return -1;
      }
      int start = position + step;
      long word = Digits.word(bytes, start);
      int digits = Digits.count(word);
      end = start + digits;
      if (bytes[end] == '.') {
        end += 1 + Digits.count(Digits.word(bytes, end + 1));
      }
      float value =
          digits == 1 && end == start + 3
              ? ((word & 0xf) * 10 + (word >>> 16 & 0xf)) / 10f
              : DelimitedParser.plainNumber(bytes, start, end);
      if (Float.isNaN(value)) {
        return -1;
      }
      ratings.ratings[ratings.count] = value;
    }
    if (timed) {
      int start = end + step;
      if (!delimited(bytes, end)) {
        return -1;
      }
      long word = Digits.word(bytes, start);
      int digits = Digits.count(word);
      if (digits == Long.BYTES) {
        digits += Digits.count(Digits.word(bytes, start + Long.BYTES));
      }
      if (!canonical(word, digits)) {
        return -1;
      }
      ratings.times[ratings.count] = Digits.number(bytes, start, digits);
      expectRest(bytes, position, end, digits);
      end = start + digits;
    }
    if (bytes[end] == '\r') {
      end++;
    }
    return bytes[end] == '\n' ? end + 1 : -1;
  }

  /** Expect the columns after the item to be alike in the next line, if they fit in two words. */
  private void expectRest(byte[] bytes, int position, int ratingEnd, int timeDigits) {
    int ratingLength = ratingEnd - position - step;
    boolean point = ratingLength == 3 && bytes[ratingEnd - 2] == '.';
    int firstCount = timeDigits - LAST_DIGITS;
    int length = step + ratingLength + step + firstCount;
    if ((ratingLength == 1 || point) && firstCount > 0 && length <= Long.BYTES) {
      long rating = (point ? 0xff00ffL : 0xffL) << step * Byte.SIZE;
      middleMask = first(length) ^ rating & LOW_HALVES;
      middleSixes = rating & SIXES;
      middleText = Digits.word(bytes, position) & middleMask;
      middleLength = length;
      ratingMask = rating & LOW_HALVES;
      firstDigits = Digits.value(Digits.word(bytes, ratingEnd + step), firstCount) * LAST_POWER;
      boolean returned = bytes[position + length + LAST_DIGITS] == '\r';
      lastText = LAST_DIGITS_TEXT | (returned ? (long) '\r' : '\n') << LAST_DIGITS * Byte.SIZE;
      restLength = length + LAST_DIGITS + (returned ? 2 : 1);
    }
  }

  private boolean delimited(byte[] bytes, int index) {
    return (Digits.word(bytes, index) & delimiterMask) == delimiter;
  }

  /** Return whether the number of the given length in a word has no leading zeros. */
  private static boolean canonical(long word, int digits) {
    return digits > 0 && ((word & 0xff) != '0' || digits == 1);
  }

  /** Return the mask of the first bytes of a word, 1 to 8. */
  private static long first(int bytes) {
    return -1L >>> Long.SIZE - bytes * Byte.SIZE;
  }
}
