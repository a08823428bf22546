package org.pecf.plugin.loaders.text;

/**
 * A reader of lines in the usual plain form that need not resemble one another.
 *
 * <p>The ends of all columns are found in one window first, and only then are the numbers
 * converted, so no conversion waits for another. A word that begins with a delimiter also holds the
 * number behind it.
 */
final class LineWindow {
  private final boolean rated;
  private final boolean timed;
  private final int step;
  private final long delimiter;

  /**
   * Create a reader.
   *
   * @param delimiter one or two ASCII characters, no digits or points
   * @param columns the number of columns, out of user, item, rating and time: 2 to 4
   */
  LineWindow(String delimiter, int columns) {
    this.rated = columns > 2;
    this.timed = columns > 3;
    this.step = delimiter.length();
    this.delimiter = Digits.word(delimiter);
  }

  /**
   * Read plain lines.
   *
   * @param most the limit to their number
   * @param ratings receives them; there must be room. Modified.
   * @return the index of the first line that was not read
   */
  int read(byte[] bytes, int from, int to, int most, RatingColumns ratings) {
    int shift = step * Byte.SIZE;
    long mask = (1L << shift) - 1;
    int mostDigits = Long.BYTES - step;
    long[] users = ratings.users.numbers;
    long[] items = ratings.items.numbers;
    float[] values = ratings.ratings;
    long[] times = ratings.times;
    int count = ratings.count;
    int limit = count + most;
    int line = from;
    while (line < to && count < limit) {
      long userWord = Digits.word(bytes, line);
      int others =
          Digits.window(
              userWord,
              Digits.word(bytes, line + 8),
              Digits.word(bytes, line + 16),
              Digits.word(bytes, line + 24));
      int userEnd = Integer.numberOfTrailingZeros(others);
      others = clear(others, step);
      long itemWord = Digits.word(bytes, line + userEnd);
      int itemEnd = Integer.numberOfTrailingZeros(others);
      int itemDigits = itemEnd - userEnd - step;
      if ((itemWord & mask) != delimiter
          || !canonical(userWord, userEnd, Long.BYTES)
          || !canonical(itemWord >>> shift, itemDigits, mostDigits)) {
        break;
      }
      users[count] = Digits.value(userWord, userEnd);
      items[count] = Digits.value(itemWord >>> shift, itemDigits);
      int end = itemEnd;
      if (rated) {
        others = clear(others, step);
        long ratingWord = Digits.word(bytes, line + itemEnd);
        if ((ratingWord & mask) != delimiter) {
          break;
        }
        ratingWord >>>= shift;
        int start = itemEnd + step;
        end = Integer.numberOfTrailingZeros(others);
        int digits = end - start;
        if (digits < 1 || digits > DelimitedParser.EXACT_DIGITS) {
          break;
        }
        if (bytes[line + end] != '.') {
          values[count] = Digits.value(Digits.word(bytes, line + start), digits);
        } else {
          others &= others - 1;
          end = Integer.numberOfTrailingZeros(others);
          int decimals = end - start - digits - 1;
          if (decimals == 1 && digits == 1) {
            // By far the most frequent form: a digit, the point, a digit.
            values[count] = ((ratingWord & 15) * 10 + (ratingWord >>> 16 & 15)) / 10f;
          } else {
            if (decimals < 1 || digits + decimals > DelimitedParser.EXACT_DIGITS) {
              break;
            }
            long whole = Digits.value(Digits.word(bytes, line + start), digits);
            long fraction = Digits.value(Digits.word(bytes, line + end - decimals), decimals);
            values[count] =
                (whole * Digits.power(decimals) + fraction) / (float) Digits.power(decimals);
          }
        }
      }
      if (timed) {
        others = clear(others, step);
        int start = end + step;
        long timeWord = Digits.word(bytes, line + start);
        int timeEnd = Integer.numberOfTrailingZeros(others);
        if ((Digits.word(bytes, line + end) & mask) != delimiter
            || !canonical(timeWord, timeEnd - start, 2 * Long.BYTES)) {
          break;
        }
        times[count] = Digits.number(bytes, line + start, timeEnd - start);
        end = timeEnd;
      }
      // If the end is the length of the window, nothing was found in it.
      if (bytes[line + end] == '\n' && end < Digits.WINDOW) {
        line += end + 1;
      } else if (bytes[line + end] == '\r'
          && bytes[line + end + 1] == '\n'
          && end < Digits.WINDOW) {
        line += end + 2;
      } else {
        break;
      }
      count++;
    }
    ratings.count = count;
    return line;
  }

  /** Clear the lowest one or two bits. */
  private static int clear(int bits, int count) {
    int cleared = bits & bits - 1;
    return count == 1 ? cleared : cleared & cleared - 1;
  }

  /** Return whether a number has at least one digit, at most the given number, no leading zeros. */
  private static boolean canonical(long word, int digits, int most) {
    return digits > 0 && digits <= most && (digits == 1 || (word & 0xff) != '0');
  }
}
