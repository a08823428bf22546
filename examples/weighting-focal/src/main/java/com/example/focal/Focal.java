package com.example.focal;

import java.util.List;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.ValueRange;

/**
 * The weight of a cell by its error e, its only argument: {@code max(floor, min(1, |e|))^gamma}.
 *
 * <p>It is a record, so that it is a serialisable value and equal to any other with the same numbers.
 *
 * @param gamma at least 0
 * @param floor above 0, at most 1
 */
public record Focal(float gamma, float floor) implements CellFunction {
  /** Check the numbers. */
  public Focal {
    if (!(gamma >= 0 && floor > 0 && floor <= 1)) {
      throw new IllegalArgumentException(
          "gamma must be at least 0 and floor within 0 and 1, not " + gamma + ", " + floor);
    }
  }

  @Override
  public float value(float[] arguments) {
    return (float) at(Math.abs(arguments[0]));
  }

  /**
   * Bound the weights, which grow with the size of the error. Without bounds the scheme would work as
   * well, but a backend could not use its path of background and exceptions.
   */
  @Override
  public ValueRange range(List<ValueRange> arguments) {
    ValueRange squares = arguments.get(0).squared();
    return new ValueRange(at(Math.sqrt(squares.low())), at(Math.sqrt(squares.high())));
  }

  private double at(double size) {
    return Math.pow(Math.max(floor, Math.min(1, size)), gamma);
  }
}
