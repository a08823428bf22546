package org.pecf.study.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The text of a figure, with as many digits as are meaningful. */
public final class Figure {
  private static final double LARGE = 1e7;
  private static final double LARGE_WHOLE = 1e10;
  private static final double SMALL = 1e-4;

  private static final Pattern PLAIN = Pattern.compile("-?[\\d,]+(\\.\\d+)?");
  private static final String NONE = "–";

  private Figure() {}

  /**
   * Return the figures of a column with the same number of decimals, so that they line up; if one
   * of the texts is not a plain number, return them as they are.
   *
   * @param column the texts. Not modified.
   */
  public static List<String> aligned(List<String> column) {
    if (!column.stream().allMatch(text -> text.equals(NONE) || PLAIN.matcher(text).matches())) {
      return column;
    }
    int most = column.stream().mapToInt(Figure::decimals).max().orElse(0);
    return column.stream()
        .map(
            text -> {
              int missing = most - decimals(text);
              String point = missing == most && most > 0 ? "." : "";
              return text.equals(NONE) ? text : text + point + "0".repeat(missing);
            })
        .toList();
  }

  private static int decimals(String text) {
    int point = text.indexOf('.');
    return point < 0 ? 0 : text.length() - point - 1;
  }

  /** Return a figure as text. */
  public static String of(double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    double size = Math.abs(value);
    if (size == Math.rint(size) && size < LARGE_WHOLE) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    if (size >= LARGE || size < SMALL) {
      return String.format(Locale.ROOT, "%.2e", value);
    }
    return new BigDecimal(value).round(new MathContext(4)).stripTrailingZeros().toPlainString();
  }
}
