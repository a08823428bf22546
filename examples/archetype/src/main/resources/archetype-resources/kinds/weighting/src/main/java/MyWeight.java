package ${package};

import java.util.List;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ValueRange;

/**
 * The weight of a cell by its error e, its only argument: {@code max(0.1, min(1, |e|))^power}.
 *
 * @param power at least 0
 */
record MyWeight(float power) implements CellFunction {
  private static final double FLOOR = 0.1;

  @Override
  public float value(float[] arguments) {
    return (float) at(Math.abs(arguments[0]));
  }

  /** Bound the weights, so that backends can treat the many cells of small error alike. */
  @Override
  public ValueRange range(List<ValueRange> arguments) {
    ValueRange squares = arguments.get(0).squared();
    return new ValueRange(at(Math.sqrt(squares.low())), at(Math.sqrt(squares.high())));
  }

  private double at(double size) {
    return Math.pow(Math.max(FLOOR, Math.min(1, size)), power);
  }
}
