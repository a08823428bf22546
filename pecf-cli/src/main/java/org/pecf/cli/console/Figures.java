package org.pecf.cli.console;

import java.time.Instant;
import java.util.Locale;

/** Numbers formatted for people. */
public final class Figures {
  private Figures() {}

  /**
   * Return a part of a sum, or zero where it differs from zero by rounding alone.
   *
   * @param whole the sum
   */
  public static String share(double value, double whole) {
    return text(Math.abs(value) <= 1e-9 * Math.abs(whole) ? 0 : value);
  }

  /**
   * Return a measured figure with four decimals, or with four or five digits if it is very small or
   * large, in the same form in every locale.
   */
  public static String text(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "-";
    }
    double size = Math.abs(value);
    if (value == 0 || size >= 0.001 && size < 1000) {
      return String.format(Locale.ROOT, "%.4f", value);
    }
    return size >= 1000 && size < 1e7
        ? String.format(Locale.ROOT, "%.1f", value)
        : String.format(Locale.ROOT, "%.4g", value);
  }

  /** Return a count with its thousands separated. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Return a rate with two or three digits, in thousands or millions where it is large. */
  public static String rate(double perSecond) {
    String[] units = {"", "k", "M", "G"};
    double amount = perSecond;
    int unit = 0;
    while (amount >= 1000 && unit < units.length - 1) {
      amount /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, amount < 10 ? "%.1f%s" : "%.0f%s", amount, units[unit]);
  }

  /** Return an amount of memory in the largest unit that it fills. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KB", "MB", "GB", "TB"};
    double amount = bytes;
    int unit = 0;
    while (amount >= 1024 && unit < units.length - 1) {
      amount /= 1024;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, amount < 10 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
  }

  /**
   * Return the date of a time in seconds since 1970, or the number if no calendar reaches that far.
   */
  public static String time(long seconds) {
    return seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()
        ? seconds + " (no date)"
        : Instant.ofEpochSecond(seconds).toString();
  }

  /** Return seconds with one or two decimals. */
  public static String seconds(double seconds) {
    return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
  }
}
