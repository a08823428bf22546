package org.pecf.engine.model;

import java.util.List;
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
 * @param alsoKnown the other cells that its data knows of: positives that were held out, and
 *     ratings that are not positives
 * @param description its provenance
 */
public record StoredModel(
    Ensemble ensemble,
    IdMap users,
    IdMap items,
    SparseCells training,
    SparseCells alsoKnown,
    ModelDescription description)
    implements AutoCloseable {
  public StoredModel {
    GridShape shape = ensemble.shape();
    if (!shape.equals(new GridShape(users.size(), items.size()))
        || !shape.equals(new GridShape(training.users(), training.items()))
        || !shape.equals(new GridShape(alsoKnown.users(), alsoKnown.items()))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "members of %s do not fit %d user ids, %d item ids, positives of %d x %d and other"
                  + " cells of %d x %d",
              shape,
              users.size(),
              items.size(),
              training.users(),
              training.items(),
              alsoKnown.users(),
              alsoKnown.items()));
    }
  }

  /** Return all that is known of users: sets of cells that do not overlap. */
  public List<SparseCells> known() {
    return List.of(training, alsoKnown);
  }

  @Override
  public void close() {
    ensemble.close();
    users.close();
    items.close();
    training.close();
    alsoKnown.close();
  }
}
