package org.pecf.plugin.loaders.text;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.OptionalLong;
import org.pecf.api.support.EpochUnit;

/** The format of the times in a text file. */
public enum TimeFormat {
  /** Seconds since 1970. */
  SECONDS("a number of seconds since 1970"),
  /** Milliseconds since 1970. */
  MILLISECONDS("a number of milliseconds since 1970"),
  /** Microseconds since 1970. */
  MICROSECONDS("a number of microseconds since 1970"),
  /** Nanoseconds since 1970. */
  NANOSECONDS("a number of nanoseconds since 1970"),
  /** A day such as 2005-09-06, which stands for its midnight in UTC. */
  DATE("a date such as 2005-09-06"),
  /** A day and a time of day such as 2005-09-06T12:30:00.5Z; in UTC without an offset. */
  DATE_TIME("a date and time such as 2005-09-06T12:30:00Z");

  private static final long SECONDS_PER_DAY = 86_400;
  static final int DATE_LENGTH = 10;

  /** The length of a date and time with hours and minutes. */
  private static final int LEAST_LENGTH = 16;

  private static final int MOST_LENGTH = 40;

  /** ISO 8601; a space may replace the T, and seconds, fraction and offset may be missing. */
  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd['T'][' ']HH:mm[:ss]")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendPattern("[ ][XXX][XX][X]")
          .toFormatter(Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private final String description;

  TimeFormat(String description) {
    this.description = description;
  }

  /** Return the format of numbers in a unit. */
  public static TimeFormat of(EpochUnit unit) {
    return valueOf(unit.name());
  }

  /** Return the description of the format for messages. */
  public String description() {
    return description;
  }

  /** Return the time in whole seconds since 1970, rounded down, if the bytes spell one. */
  public OptionalLong read(byte[] bytes, int from, int to) {
    return switch (this) {
      case DATE -> day(bytes, from, to);
      case DATE_TIME -> dateTime(bytes, from, to);
      default -> number(bytes, from, to);
    };
  }

  /** Read a number, with a fraction or without. */
  private OptionalLong number(byte[] bytes, int from, int to) {
    int point = from;
    while (point < to && bytes[point] != '.') {
      point++;
    }
    if (!Digits.canonical(bytes, from, point)
        || point + 1 < to && !Digits.only(bytes, point + 1, to)) {
      return OptionalLong.empty();
    }
    long value = Digits.integer(bytes, from, point);
    // A fraction of a negative number is below its whole part.
    boolean below = bytes[from] == '-' && !zeros(bytes, point + 1, to);
    return OptionalLong.of(
        EpochUnit.valueOf(name()).seconds(below && value > Long.MIN_VALUE ? value - 1 : value));
  }

  private static boolean zeros(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != '0') {
        return false;
      }
    }
    return true;
  }

  private static OptionalLong day(byte[] bytes, int from, int to) {
    if (to - from != DATE_LENGTH || bytes[from + 4] != '-' || bytes[from + 7] != '-') {
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

  private static OptionalLong dateTime(byte[] bytes, int from, int to) {
    if (to - from == DATE_LENGTH) {
      return day(bytes, from, to);
    }
    int separator = from + DATE_LENGTH;
    if (to - from < LEAST_LENGTH
        || to - from > MOST_LENGTH
        || (bytes[separator] != 'T' && bytes[separator] != ' ')
        || !Digits.only(bytes, separator + 1, separator + 2)) {
      return OptionalLong.empty();
    }
    try {
      String text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
      TemporalAccessor time = ISO.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
      return OptionalLong.of(
          time instanceof OffsetDateTime exact
              ? exact.toEpochSecond()
              : ((LocalDateTime) time).toEpochSecond(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }
}
