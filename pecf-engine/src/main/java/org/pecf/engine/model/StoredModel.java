package org.pecf.engine.model;

import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Ensemble;

/**
 * Hold all that a model folder holds. Closing it closes its parts.
 *
 * @param ensemble the members and their weights
 * @param users the ids of the users
 * @param items the ids of the items
 * @param training the positives it was trained on: what users have already
 * @param description where it came from
 */
public record StoredModel(
    Ensemble ensemble, IdMap users, IdMap items, SparseCells training, ModelDescription description)
    implements AutoCloseable {
  public StoredModel {
    GridShape shape = ensemble.shape();
    if (!shape.equals(new GridShape(users.size(), items.size()))
        || !shape.equals(new GridShape(training.users(), training.items()))) {
      throw new IllegalArgumentException(
          "members of "
              + shape
              + " do not go with "
              + users.size()
              + " user ids, "
              + items.size()
              + " item ids and positives of "
              + training.users()
              + " x "
              + training.items());
    }
  }

  @Override
  public void close() {
    ensemble.close();
    users.close();
    items.close();
    training.close();
  }
}
