package org.pecf.plugin.loaders.text;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.OptionalLong;

/** The format of the times in a text file. */
public enum TimeFormat {
  /** Whole seconds since 1970. */
  SECONDS("a whole number of seconds since 1970"),
  /** Whole milliseconds since 1970. */
  MILLISECONDS("a whole number of milliseconds since 1970"),
  /** A day such as 2005-09-06, which stands for its midnight in UTC. */
  DATE("a date such as 2005-09-06");

  private static final long SECONDS_PER_DAY = 86_400;

  private final String description;

  TimeFormat(String description) {
    this.description = description;
  }

  /** Return the description of the format for messages. */
  public String description() {
    return description;
  }

  /** Return the time in seconds since 1970, if the bytes spell one. */
  public OptionalLong read(byte[] bytes, int from, int to) {
    if (this == DATE) {
      return day(bytes, from, to);
    }
    if (!Digits.canonical(bytes, from, to)) {
      return OptionalLong.empty();
    }
    long value = Digits.integer(bytes, from, to);
    return OptionalLong.of(this == SECONDS ? value : Math.floorDiv(value, 1000));
  }

  private static OptionalLong day(byte[] bytes, int from, int to) {
    if (to - from != 10 || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
      return OptionalLong.empty();
    }
    int number = 0;
    for (int i = from; i < to; i++) {
      if (i != from + 4 && i != from + 7) {
        if (bytes[i] < '0' || bytes[i] > '9') {
          return OptionalLong.empty();
        }
        number = number * 10 + bytes[i] - '0';
      }
    }
    try {
      return OptionalLong.of(
          SECONDS_PER_DAY
              * LocalDate.of(number / 10_000, number / 100 % 100, number % 100).toEpochDay());
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }
}
