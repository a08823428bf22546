package org.pecf.engine.construct;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;

/**
 * The rule for the weights that the members of a grown ensemble end up with.
 *
 * @param kind the rule
 * @param given the weights if they are given, else none
 */
public record MemberWeights(Kind kind, List<Double> given) {
  /** The rules. */
  public enum Kind {
    /** Those that follow from the steps by which members joined. */
    JOINED,
    /** Those that are best on the validation part, all of them fitted together. */
    SELECTED,
    /** Those under which the positives of the validation part are likeliest, of either sign. */
    STACKED,
    /** Those that the request states. */
    GIVEN
  }

  /** The weights that follow from the steps by which members joined. */
  public static final MemberWeights JOINED = new MemberWeights(Kind.JOINED, List.of());

  /** The weights that are best on the validation part. */
  public static final MemberWeights SELECTED = new MemberWeights(Kind.SELECTED, List.of());

  /** The weights under which the positives of the validation part are likeliest. */
  public static final MemberWeights STACKED = new MemberWeights(Kind.STACKED, List.of());

  public MemberWeights {
    given = List.copyOf(given);
    if (given.isEmpty() == (kind == Kind.GIVEN)
        || given.stream().anyMatch(weight -> !Double.isFinite(weight))
        || (kind == Kind.GIVEN && given.stream().allMatch(weight -> weight == 0))) {
      throw PecfException.badOption(
          "The weights of members must be finite, and not all of them 0, unlike %s.", given);
    }
  }

  /** Return given weights, one per member. */
  public static MemberWeights of(double... weights) {
    return new MemberWeights(Kind.GIVEN, Arrays.stream(weights).boxed().toList());
  }

  /** Return whether the weights are fitted on the validation part. */
  public boolean fitted() {
    return kind == Kind.SELECTED || kind == Kind.STACKED;
  }

  /**
   * Read a rule: {@code joined}, {@code selected}, {@code stacked}, or weights such as {@code
   * 0.5,0.3,0.2}.
   */
  public static MemberWeights parse(String text) {
    switch (text.strip()) {
      case "joined":
        return JOINED;
      case "selected":
        return SELECTED;
      case "stacked":
        return STACKED;
      default:
        try {
          return of(
              Arrays.stream(text.split(",", -1))
                  .mapToDouble(number -> Double.parseDouble(number.strip()))
                  .toArray());
        } catch (NumberFormatException e) {
          throw PecfException.badOption(
              "'%s' is not a rule for the weights of members. Write joined, selected, stacked,"
                  + " or the weights themselves, such as 0.5,0.3,0.2.",
              text);
        }
    }
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return switch (kind) {
      case JOINED -> "joined";
      case SELECTED -> "selected";
      case STACKED -> "stacked";
      case GIVEN -> given.stream().map(String::valueOf).collect(Collectors.joining(","));
    };
  }
}
