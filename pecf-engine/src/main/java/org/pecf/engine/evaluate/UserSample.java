package org.pecf.engine.evaluate;

import java.io.Serializable;
import java.util.BitSet;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.run.Seed;

/**
 * The users whose lists an evaluation measures: all, or some drawn at random.
 *
 * <p>Seed and user give each user a place in a random order, and the first of those in question are
 * drawn. So the same users are drawn for any model and at any number of threads, and a sample
 * contains the smaller ones of its seed.
 *
 * @param most the most users
 * @param seed the seed of the order
 */
public record UserSample(int most, long seed) implements Serializable {
  /** All users. */
  public static final UserSample ALL = new UserSample(Integer.MAX_VALUE, 1);

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(?::(-?[0-9]{1,18}))?");

  public UserSample {
    if (most < 2) {
      throw PecfException.badOption(
          "A sample of %d users has no standard error. Sample at least 2 users, or all.", most);
    }
  }

  /** Read a sample: {@code all}, a number of users, or both number and seed as {@code 1000:7}. */
  public static UserSample parse(String text) {
    if (text.strip().equals("all")) {
      return ALL;
    }
    Matcher matcher = TEXT.matcher(text.strip());
    if (!matcher.matches()) {
      throw PecfException.badOption(
          "'%s' is not a sample of users. Write all, a number of users such as 1000, or a number"
              + " and a seed such as 1000:7.",
          text);
    }
    return new UserSample(
        Integer.parseInt(matcher.group(1)),
        matcher.group(2) == null ? ALL.seed : Long.parseLong(matcher.group(2)));
  }

  /** Return the text that {@link #parse} reads. */
  @Override
  public String toString() {
    if (most == Integer.MAX_VALUE) {
      return "all";
    }
    return seed == ALL.seed ? Integer.toString(most) : most + ":" + seed;
  }

  /** Return a user's place in the random order. */
  public long order(long user) {
    return new Seed(seed).child("measured user", user).value();
  }

  /**
   * Draw users.
   *
   * @param users the users in question. Not modified.
   */
  BitSet of(BitSet users) {
    if (users.cardinality() <= most) {
      return users;
    }
    BitSet drawn = new BitSet(users.length());
    users.stream()
        .boxed()
        .sorted(Comparator.comparingLong(user -> order(user)))
        .limit(most)
        .forEach(drawn::set);
    return drawn;
  }

  /**
   * Return the standard error of a mean over drawn users as an estimate of the mean over all: with
   * n of N users drawn, {@code sqrt((1 - n/N) s^2 / n)}, where s^2 is the sum of squared
   * differences from the mean, divided by n - 1. It is 0 where all are drawn.
   *
   * @param values the values of the drawn users. Not modified.
   * @param all N
   */
  public static double standardError(double[] values, long all) {
    int drawn = values.length;
    if (drawn == all) {
      return 0;
    }
    double mean = 0;
    for (double value : values) {
      mean += value / drawn;
    }
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt((1 - (double) drawn / all) * squares / (drawn - 1) / drawn);
  }
}
