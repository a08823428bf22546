package org.pecf.cli.option;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import picocli.CommandLine.Option;

/** The options that say how much work is spent on finding filters and settings. */
@Section(Sections.ENSEMBLE)
public final class EffortOptions {
  private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smh])");

  @Option(
      names = "--effort",
      paramLabel = "HOW",
      description =
          "How much work is spent on choosing filters, their settings and their weights for the"
              + " data: none, quick, normal or thorough (default: quick if no setting is given,"
              + " else none).")
  @Nullable String effort;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description =
          "The processor time to spend on that instead, such as 90s, 10m or 2h; unlike an effort it"
              + " may choose otherwise on another machine.")
  @Nullable String budget;

  /** Return whether an effort or a budget was asked for. */
  public boolean given() {
    return effort != null || budget != null;
  }

  /** Return the effort as it was given; that of a budget if only that was. */
  public Optional<String> text() {
    return Optional.ofNullable(effort == null && budget != null ? "thorough" : effort);
  }

  /**
   * Return the budget.
   *
   * @throws PecfException if it is no time
   */
  public Optional<Duration> budget() {
    return Optional.ofNullable(budget).map(EffortOptions::time);
  }

  private static Duration time(String text) {
    Matcher matcher = TIME.matcher(text.strip());
    if (!matcher.matches()) {
      throw PecfException.badOption(
          "'%s' is not a time. Write a whole number and s, m or h, such as 10m.", text);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
