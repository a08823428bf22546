package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;

/**
 * The state of an ensemble while it grows.
 *
 * @param members how many members it has
 * @param shape the numbers of users and items
 * @param positives the training positives, borrowed until the call that received the state returns
 * @param confidence c: the plain weights of the training cells, zero on cells held out
 * @param ratings r
 * @param prediction f: the prediction of the ensemble
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record EnsembleState(
    int members,
    GridShape shape,
    SparseCells positives,
    CellField confidence,
    CellField ratings,
    CellField prediction) {
  public EnsembleState {
    positives = positives.lent();
  }

  /** Return the error e = r - f. */
  public CellField error() {
    return CellField.difference(ratings, prediction);
  }
}
