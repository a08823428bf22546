package org.pecf.api.filter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/**
 * The settings of a filter that are worth trying on a data set: points along a few axes, from one
 * that suits most data. A search steps from the best point so far to the points beside it.
 *
 * @param axes the axes; the first is the first to be tried
 * @param settings returns the settings of a point, which has a number for each axis: texts by
 *     option, of which {@code confidence} stands for the weights of positives and zeros
 * @param work estimates the processor seconds that a training with the settings of a point takes on
 *     a usual machine; only the ratios of such estimates matter
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SettingsSpace(
    List<Axis> axes,
    Function<double[], Map<String, String>> settings,
    ToDoubleFunction<double[]> work) {
  /**
   * An axis of a space. Steps along it multiply or divide by a factor.
   *
   * @param name its name, for messages
   * @param start the value to begin with
   * @param factor the factor, above 1
   * @param least the smallest value
   * @param most the largest value
   */
  public record Axis(String name, double start, double factor, double least, double most) {
    public Axis {
      if (!(least > 0 && least <= start && start <= most && factor > 1)) {
        throw new IllegalArgumentException(
            "the axis " + name + " begins at " + start + ", outside its bounds, or has no steps");
      }
    }
  }

  public SettingsSpace {
    axes = List.copyOf(axes);
  }

  /**
   * Return a space whose axes are named after the options whose values they are.
   *
   * @param whole the options whose values are whole numbers. Not modified.
   */
  public static SettingsSpace ofOptions(
      List<Axis> axes, List<String> whole, ToDoubleFunction<double[]> work) {
    return new SettingsSpace(
        axes,
        point -> {
          Map<String, String> texts = new LinkedHashMap<>();
          for (int k = 0; k < point.length; k++) {
            String option = axes.get(k).name();
            texts.put(
                option,
                whole.contains(option) ? Long.toString(Math.round(point[k])) : text(point[k]));
          }
          return texts;
        },
        work);
  }

  /** Return the text of a number rounded to two digits. */
  public static String text(double value) {
    return new BigDecimal(value).round(new MathContext(2)).stripTrailingZeros().toPlainString();
  }
}
