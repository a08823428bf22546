package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;

/**
 * The scores of a model that only the host can compute. Weights made from them are computed on the
 * dense path, since nothing bounds the scores.
 *
 * @param model the model, borrowed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record HostScore(ScoreModel model) implements HostField {
  public HostScore {
    model = model.lent();
  }

  @Override
  public float valueAt(int user, int item) {
    return model.scoreAt(user, item);
  }

  @Override
  public void fill(int firstUser, int firstItem, FloatMatrix tile) {
    model.fill(firstUser, firstItem, tile);
  }
}
