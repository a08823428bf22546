package org.pecf.cli.report;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.pecf.api.PecfException;

/** The time that results record as the time of their creation. */
public final class CreationTime {
  private static final String VARIABLE = "SOURCE_DATE_EPOCH";

  private CreationTime() {}

  /**
   * Return the present second, or the one in SOURCE_DATE_EPOCH, so that equal runs can give equal
   * bytes.
   *
   * @param environment variables by name. Not modified.
   */
  public static Instant now(Map<String, String> environment) {
    String seconds = environment.getOrDefault(VARIABLE, "");
    if (seconds.isEmpty()) {
      return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }
    try {
      return Instant.ofEpochSecond(Long.parseLong(seconds));
    } catch (NumberFormatException | DateTimeException e) {
      throw PecfException.badOption(
              "%s is '%s', which is not a number of seconds since 1970. Correct it, or unset it.",
              VARIABLE, seconds)
          .causedBy(e);
    }
  }
}
