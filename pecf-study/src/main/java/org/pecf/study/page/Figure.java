package org.pecf.study.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** The text of a figure: as many digits as tell something. */
public final class Figure {
  private static final double LARGE = 1e7;
  private static final double LARGE_WHOLE = 1e10;
  private static final double SMALL = 1e-4;

  private Figure() {}

  /** Return a figure as text. */
  public static String of(double value) {
    if (!Double.isFinite(value)) {
      return "–";
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
