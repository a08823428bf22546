package org.pecf.api.field;

import java.util.List;
import org.apiguardian.api.API;

/**
 * A function of other fields, cell by cell.
 *
 * @param function the function
 * @param arguments its arguments
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Apply(CellFunction function, List<CellField> arguments) implements CellField {
  public Apply {
    arguments = List.copyOf(arguments);
  }

  @Override
  public float valueAt(int user, int item) {
    float[] values = new float[arguments.size()];
    for (int k = 0; k < values.length; k++) {
      values[k] = arguments.get(k).valueAt(user, item);
    }
    return function.value(values);
  }

  @Override
  public List<CellField> children() {
    return arguments;
  }

  @Override
  public ValueRange background(float scoreBound) {
    return function.range(
        arguments.stream().map(argument -> argument.background(scoreBound)).toList());
  }
}
