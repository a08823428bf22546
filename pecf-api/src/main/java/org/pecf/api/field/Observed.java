package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.memory.SparseCells;

/**
 * One value on a set of cells and another elsewhere: ratings, confidences.
 *
 * @param cells the set
 * @param inside the value on the set
 * @param outside the value elsewhere
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Observed(SparseCells cells, float inside, float outside) implements CellField {
  public Observed {
    cells = cells.lent();
  }

  @Override
  public float valueAt(int user, int item) {
    return cells.contains(user, item) ? inside : outside;
  }

  @Override
  public ValueRange background(float scoreBound) {
    return ValueRange.of(outside);
  }
}
