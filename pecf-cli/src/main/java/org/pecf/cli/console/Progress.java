package org.pecf.cli.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
 * @param rate the training positives that the last step went through per second; 0 if not known
 */
public record Progress(
    String activity,
    int member,
    int members,
    String filter,
    int step,
    int steps,
    Map<String, Double> figures,
    double rate) {
  private static final int BAR = 24;
  private static final int SHORT_BAR = 8;

  public Progress {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /** Begin with some work other than training a member. */
  public static Progress activity(String activity) {
    return new Progress(activity, 0, 0, "", 0, 0, Map.of(), 0);
  }

  /** Begin the training of a member; figures stay until newer ones come. */
  public Progress startMember(int member, int members, String filter) {
    return new Progress("", member, members, filter, 0, 0, figures, rate);
  }

  /** Finish a step of a training. */
  public Progress finishStep(String filter, int step, int steps, Map<String, Double> measures) {
    return new Progress(
        "", Math.max(member, 1), Math.max(members, 1), filter, step, steps, join(measures), rate);
  }

  /** Set how many training positives the last step went through per second. */
  public Progress withRate(double perSecond) {
    return new Progress(activity, member, members, filter, step, steps, figures, perSecond);
  }

  /** Add newer figures. */
  public Progress withFigures(Map<String, Double> newer) {
    return new Progress(activity, member, members, filter, step, steps, join(newer), rate);
  }

  /** Go on to some work other than training a member. */
  public Progress then(String next) {
    return new Progress(next, 0, 0, "", 0, 0, figures, 0);
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
   * Draw the state on at most two lines that fit the terminal. On a narrow one the less important
   * parts are left out.
   *
   * @param elapsed since the run began
   * @param training since the training of members began; zero if it has not
   * @param memory the bytes that the process takes
   */
  public List<String> lines(Duration elapsed, Duration training, long memory, Terminal terminal) {
    int columns = terminal.columns() - 1;
    List<Part> times = new ArrayList<>();
    times.add(new Part("elapsed " + clock(elapsed), 4));
    if (member == 0) {
      times.add(0, new Part(activity, 5));
      return List.of(fitted(times, columns));
    }
    List<Part> place = new ArrayList<>();
    place.add(new Part("member " + member + "/" + members, 5));
    place.add(new Part(filter, 2));
    place.add(new Part(bar(columns < 60 ? SHORT_BAR : BAR), 3));
    if (steps > 0) {
      place.add(new Part("step " + step + "/" + steps, 4));
    }
    List<Part> state = new ArrayList<>();
    figures.forEach((name, value) -> state.add(new Part(name + " " + Figures.text(value), 3)));
    if (rate > 0) {
      state.add(new Part(Figures.rate(rate) + " positives/s", 1));
    }
    if (memory > 0) {
      state.add(new Part("memory " + Figures.bytes(memory), 2));
    }
    state.addAll(times);
    remaining(training).ifPresent(left -> state.add(new Part("about " + clock(left) + " left", 5)));
    return List.of(fitted(place, columns), fitted(state, columns));
  }

  /**
   * A part of a line.
   *
   * @param text the text
   * @param importance the parts of least importance are left out first
   */
  private record Part(String text, int importance) {}

  /** Join the parts that fit into a line. */
  private static String fitted(List<Part> parts, int columns) {
    List<Part> kept = new ArrayList<>(parts);
    String line = joined(kept);
    while (line.length() > columns && kept.size() > 1) {
      kept.remove(Collections.min(kept, Comparator.comparingInt(Part::importance)));
      line = joined(kept);
    }
    return line.length() <= columns ? line : line.substring(0, columns);
  }

  private static String joined(List<Part> parts) {
    return parts.stream().map(Part::text).collect(Collectors.joining("  "));
  }

  private String bar(int letters) {
    int full = (int) Math.round(letters * fraction());
    return "[" + "=".repeat(full) + " ".repeat(letters - full) + "]";
  }

  /** Estimate how long the rest of the training will take, once enough of it is done. */
  public Optional<Duration> remaining(Duration training) {
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
}
