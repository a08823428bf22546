package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;

/**
 * The scores of a factor model, which backends compute natively.
 *
 * @param model the model, borrowed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Score(FactorModel model) implements CellField {
  public Score {
    model = model.lent();
  }

  @Override
  public float valueAt(int user, int item) {
    return model.scoreAt(user, item);
  }

  @Override
  public ValueRange background(float scoreBound) {
    return new ValueRange(-scoreBound, scoreBound);
  }
}
