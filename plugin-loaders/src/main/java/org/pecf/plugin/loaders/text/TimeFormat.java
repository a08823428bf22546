package org.pecf.plugin.loaders.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
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
import java.util.regex.Pattern;
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
  private static final int DATE_LENGTH = 10;

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

  private static final Pattern FRACTION = Pattern.compile("(0|-?[1-9]\\d{0,18})(\\.\\d*)?");

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

  /** Return the time in whole seconds since 1970, rounded down, if the characters spell one. */
  public OptionalLong read(char[] text, int from, int to) {
    return switch (this) {
      case DATE -> day(text, from, to);
      case DATE_TIME -> dateTime(text, from, to);
      default -> number(text, from, to);
    };
  }

  /** Return the time in whole seconds since 1970, rounded down, if a text spells one. */
  public OptionalLong read(String text) {
    return read(text.toCharArray(), 0, text.length());
  }

  /** Read a number, with a fraction or without. */
  private OptionalLong number(char[] text, int from, int to) {
    long plain = Digits.unsigned(text, from, to);
    String written = plain < 0 ? new String(text, from, to - from) : "";
    if (plain < 0 && !FRACTION.matcher(written).matches()) {
      return OptionalLong.empty();
    }
    try {
      long whole =
          plain < 0
              ? new BigDecimal(written).setScale(0, RoundingMode.FLOOR).longValueExact()
              : plain;
      return OptionalLong.of(EpochUnit.valueOf(name()).seconds(whole));
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong day(char[] text, int from, int to) {
    if (to - from != DATE_LENGTH || text[from + 4] != '-' || text[from + 7] != '-') {
      return OptionalLong.empty();
    }
    try {
      // What is no number is no year, month or day either.
      return OptionalLong.of(
          SECONDS_PER_DAY
              * LocalDate.of(
                      part(text, from, from + 4),
                      part(text, from + 5, from + 7),
                      part(text, from + 8, to))
                  .toEpochDay());
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }

  private static int part(char[] text, int from, int to) {
    int number = (int) Digits.number(text, from, to);
    return number < 0 ? Integer.MIN_VALUE : number;
  }

  private static OptionalLong dateTime(char[] text, int from, int to) {
    if (to - from == DATE_LENGTH) {
      return day(text, from, to);
    }
    int separator = from + DATE_LENGTH;
    if (to - from < LEAST_LENGTH
        || to - from > MOST_LENGTH
        || (text[separator] != 'T' && text[separator] != ' ')
        || Digits.number(text, separator + 1, separator + 2) < 0) {
      return OptionalLong.empty();
    }
    try {
      TemporalAccessor time =
          ISO.parseBest(
              new String(text, from, to - from), OffsetDateTime::from, LocalDateTime::from);
      return OptionalLong.of(
          time instanceof OffsetDateTime exact
              ? exact.toEpochSecond()
              : ((LocalDateTime) time).toEpochSecond(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return OptionalLong.empty();
    }
  }
}
