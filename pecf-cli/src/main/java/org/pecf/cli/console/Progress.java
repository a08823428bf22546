package org.pecf.cli.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of a run: a value that can be drawn.
 *
 * @param activity the current work, when no member is in training
 * @param member which member is in training, counted from 1; 0 for none
 * @param members how many members there are to be at most
 * @param filter the filter in training
 * @param step the last finished step of its training
 * @param steps how many steps there are
 * @param figures the newest figures to show, such as the objective
 */
public record Progress(
    String activity,
    int member,
    int members,
    String filter,
    int step,
    int steps,
    Map<String, Double> figures) {
  private static final int BAR = 24;

  public Progress {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** Begin with something that is not the training of a member. */
  public static Progress activity(String activity) {
    return new Progress(activity, 0, 0, "", 0, 0, Map.of());
  }

  /** Begin the training of a member; figures stay until newer ones come. */
  public Progress startMember(int member, int members, String filter) {
    return new Progress("", member, members, filter, 0, 0, figures);
  }

  /** Finish a step of a training. */
  public Progress finishStep(String filter, int step, int steps, Map<String, Double> measures) {
    return new Progress(
        "", Math.max(member, 1), Math.max(members, 1), filter, step, steps, join(measures));
  }

  /** Take in newer figures. */
  public Progress withFigures(Map<String, Double> newer) {
    return new Progress(activity, member, members, filter, step, steps, join(newer));
  }

  /** Go on to something that is not the training of a member. */
  public Progress then(String next) {
    return new Progress(next, 0, 0, "", 0, 0, figures);
  }

  private Map<String, Double> join(Map<String, Double> newer) {
    Map<String, Double> joined = new LinkedHashMap<>(figures);
    joined.putAll(newer);
    return joined;
  }

  /** Return which part of all training is done, between 0 and 1. */
  public double fraction() {
    if (member == 0) {
      return 0;
    }
    double ofMember = steps == 0 ? 0 : (double) step / steps;
    return Math.min(1, (member - 1 + ofMember) / members);
  }

  /**
   * Draw the state on two lines at most, none longer than the terminal is wide.
   *
   * @param elapsed since the run began
   * @param training since the training of members began; zero if it has not
   */
  public List<String> lines(Duration elapsed, Duration training, Terminal terminal) {
    List<String> lines = new ArrayList<>();
    String clock = "elapsed " + clock(elapsed);
    if (member == 0) {
      lines.add(activity + "  " + clock);
    } else {
      String step = steps == 0 ? "" : "  step " + this.step + "/" + steps;
      lines.add("member " + member + "/" + members + "  " + filter + "  " + bar() + step);
      lines.add(
          figureText()
              + clock
              + remaining(training).map(left -> "  about " + clock(left) + " left").orElse(""));
    }
    return lines.stream().map(line -> cut(line, terminal.columns() - 1)).toList();
  }

  private String bar() {
    int full = (int) Math.round(BAR * fraction());
    return "[" + "=".repeat(full) + " ".repeat(BAR - full) + "]";
  }

  private String figureText() {
    StringBuilder text = new StringBuilder();
    figures.forEach((name, value) -> text.append(name + " " + Figures.text(value) + "  "));
    return text.toString();
  }

  private Optional<Duration> remaining(Duration training) {
    double fraction = fraction();
    if (fraction < 0.02 || training.toMillis() < 500) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofMillis(Math.round(training.toMillis() * (1 - fraction) / fraction)));
  }

  /** Return a duration as minutes and seconds, with hours when there are any. */
  public static String clock(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  private static String cut(String line, int columns) {
    return line.length() <= columns ? line : line.substring(0, Math.max(0, columns));
  }
}
