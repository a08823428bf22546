package org.pecf.api.field;

import org.apiguardian.api.API;

/**
 * The same value everywhere.
 *
 * @param value the value
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Constant(float value) implements CellField {
  @Override
  public float valueAt(int user, int item) {
    return value;
  }

  @Override
  public ValueRange background(float scoreBound) {
    return ValueRange.of(value);
  }
}
