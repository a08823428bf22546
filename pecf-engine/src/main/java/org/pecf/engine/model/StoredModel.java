package org.pecf.engine.model;

import java.util.Locale;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Ensemble;

/**
 * The content of a model folder. Closing it closes its parts.
 *
 * @param ensemble the members and their weights
 * @param users the ids of the users
 * @param items the ids of the items
 * @param training the positives it was trained on
 * @param description its provenance
 */
public record StoredModel(
    Ensemble ensemble, IdMap users, IdMap items, SparseCells training, ModelDescription description)
    implements AutoCloseable {
  public StoredModel {
    GridShape shape = ensemble.shape();
    if (!shape.equals(new GridShape(users.size(), items.size()))
        || !shape.equals(new GridShape(training.users(), training.items()))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "members of %s do not fit %d user ids, %d item ids and positives of %d x %d",
              shape,
              users.size(),
              items.size(),
              training.users(),
              training.items()));
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
