package org.pecf.engine.request;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;

/**
 * An amount of memory, written such as {@code 8g} or {@code 512m}.
 *
 * @param bytes the number of bytes, at least 1
 */
public record MemorySize(long bytes) {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kmgt]?)i?b?", Pattern.CASE_INSENSITIVE);

  private static final String UNITS = "kmgt";

  public MemorySize {
    if (bytes < 1) {
      throw new IllegalArgumentException("an amount of memory has at least 1 byte, not " + bytes);
    }
  }

  /** Read an amount of memory, with a unit of k, m, g or t or a plain number of bytes. */
  public static MemorySize parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (matcher.matches()) {
      int power = 1 + UNITS.indexOf((matcher.group(2) + " ").toLowerCase(Locale.ROOT).charAt(0));
      double bytes = Double.parseDouble(matcher.group(1)) * Math.pow(1024, power);
      if (bytes >= 1 && bytes < Long.MAX_VALUE) {
        return new MemorySize((long) bytes);
      }
    }
    throw PecfException.badOption(
        "'%s' is not an amount of memory. Write for example 8g or 512m.", text);
  }

  /** Return the text that {@link #parse} reads, in the largest unit that is exact. */
  @Override
  public String toString() {
    long amount = bytes;
    int power = 0;
    while (power < UNITS.length() && amount % 1024 == 0) {
      amount /= 1024;
      power++;
    }
    return power == 0 ? Long.toString(amount) : amount + UNITS.substring(power - 1, power);
  }
}
