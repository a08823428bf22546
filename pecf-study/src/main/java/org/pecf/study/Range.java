package org.pecf.study;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.pecf.api.PecfException;

/** The values of an option that a search tries. */
public sealed interface Range {
  /**
   * Draw a value, as users would write it.
   *
   * @param random the source of chance. Modified.
   */
  String draw(SplittableRandom random);

  /**
   * An even range: {@code low + (high - low) u}, rounded to four digits.
   *
   * @param low the least value
   * @param high the largest value
   */
  record Uniform(double low, double high) implements Range {
    public Uniform {
      requireOrder(low, high);
    }

    @Override
    public String draw(SplittableRandom random) {
      return Range.rounded(low + (high - low) * random.nextDouble(), low, high);
    }
  }

  /**
   * An even range on a logarithmic scale: {@code low (high / low)^u}, rounded to four digits.
   *
   * @param low the least value, above 0
   * @param high the largest value
   */
  record LogUniform(double low, double high) implements Range {
    public LogUniform {
      requireOrder(low, high);
      if (!(low > 0)) {
        throw bad("log:" + low + ".." + high + " must begin above 0");
      }
    }

    @Override
    public String draw(SplittableRandom random) {
      double value = low * StrictMath.exp(random.nextDouble() * StrictMath.log(high / low));
      return Range.rounded(value, low, high);
    }
  }

  /**
   * An even range of whole numbers.
   *
   * @param low the least value
   * @param high the largest value
   */
  record WholeNumbers(int low, int high) implements Range {
    public WholeNumbers {
      requireOrder(low, high);
    }

    @Override
    public String draw(SplittableRandom random) {
      return Long.toString(random.nextLong(low, high + 1L));
    }
  }

  /**
   * One of several texts.
   *
   * @param values the texts
   */
  record Choices(List<String> values) implements Range {
    public Choices {
      values = List.copyOf(values);
      if (values.isEmpty()
          || values.contains("")
          || values.stream().distinct().count() < values.size()) {
        throw bad("{" + String.join(",", values) + "} must be different values between commas");
      }
    }

    @Override
    public String draw(SplittableRandom random) {
      return values.get(random.nextInt(values.size()));
    }
  }

  /**
   * Read a range: {@code a..b} (even), {@code log:a..b} (even on a logarithmic scale), {@code
   * int:a..b} (whole numbers) or {@code {x,y,z}} (choices).
   */
  static Range parse(String text) {
    String spec = text.strip();
    if (spec.startsWith("{") && spec.endsWith("}")) {
      return new Choices(
          Arrays.stream(spec.substring(1, spec.length() - 1).split(",", -1))
              .map(String::strip)
              .toList());
    }
    String bounds = spec.replaceFirst("^(log|int):", "");
    int dots = bounds.indexOf("..");
    try {
      if (dots > 0) {
        String low = bounds.substring(0, dots).strip();
        String high = bounds.substring(dots + 2).strip();
        if (spec.startsWith("int:")) {
          return new WholeNumbers(Integer.parseInt(low), Integer.parseInt(high));
        }
        return spec.startsWith("log:")
            ? new LogUniform(Double.parseDouble(low), Double.parseDouble(high))
            : new Uniform(Double.parseDouble(low), Double.parseDouble(high));
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw bad(
        "'"
            + text
            + "' is not a range. Write 0.1..0.9, log:0.001..10, int:10..200 or '{raw,unit}', in"
            + " quotes");
  }

  private static String rounded(double value, double low, double high) {
    double short4 = new BigDecimal(value).round(new MathContext(4)).doubleValue();
    return Double.toString(Math.min(high, Math.max(low, short4)));
  }

  private static void requireOrder(double low, double high) {
    if (!(low <= high && Double.isFinite(high - low))) {
      throw bad(
          "a range goes from the least to the largest value, not from " + low + " to " + high);
    }
  }

  private static PecfException bad(String message) {
    return PecfException.badOption("%s", message);
  }
}
