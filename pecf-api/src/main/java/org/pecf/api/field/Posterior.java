package org.pecf.api.field;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The weight of a cell by how badly the ensemble predicts it: {@code scale / (1 + nu exp(-e^2 /
 * sigma^2))} of the error e, its one argument.
 *
 * @param nu how strongly well-predicted cells are played down, at least 0
 * @param sigma the error at which the weight starts to saturate, above 0
 * @param scale a constant factor, above 0
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Posterior(float nu, float sigma, float scale) implements CellFunction {
  public Posterior {
    if (!(nu >= 0 && sigma > 0 && scale > 0)) {
      throw new IllegalArgumentException(
          String.format(
              "nu must be at least 0, sigma and scale above 0, not %s, %s, %s", nu, sigma, scale));
    }
  }

  @Override
  public float value(float[] arguments) {
    return (float) at(arguments[0]);
  }

  @Override
  public ValueRange range(List<ValueRange> arguments) {
    ValueRange squares = arguments.get(0).squared();
    return new ValueRange(at(Math.sqrt(squares.low())), at(Math.sqrt(squares.high())));
  }

  /** Return the weight at an error. */
  public double at(double error) {
    return scale / (1 + nu * Math.exp(-error * error / ((double) sigma * sigma)));
  }
}
