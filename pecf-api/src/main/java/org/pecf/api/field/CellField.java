package org.pecf.api.field;

import java.util.List;
import org.apiguardian.api.API;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;

/**
 * A description of a value for every cell of the users x items grid, without storing the values.
 *
 * <p>Weights, targets and errors are cell fields: small trees of records that a compute backend
 * evaluates tile by tile, or splits into a constant background and few exceptions. A tree is a
 * value: it borrows Arrow memory, it closes over nothing, and a backend may ship it elsewhere.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface CellField
    permits Constant, Observed, PartMask, Score, Linear, Product, Apply, HostField {
  /** Return the value of one cell: the definition that backends are tested against. Slow. */
  float valueAt(int user, int item);

  /**
   * Bound the values on background cells: those outside every {@link Observed} set, inside every
   * {@link PartMask}, where each {@link Linear} combination of scores is within the given bound of
   * zero.
   *
   * @param scoreBound at least 0
   */
  ValueRange background(float scoreBound);

  /** Return the fields that this one is computed from, in order; none for a leaf of the tree. */
  default List<CellField> children() {
    return List.of();
  }

  /** Return the same value everywhere. */
  static CellField constant(float value) {
    return new Constant(value);
  }

  /** Return one value on the given cells and another on all others. */
  static CellField observed(SparseCells cells, float inside, float outside) {
    return new Observed(cells, inside, outside);
  }

  /** Return the scores of a model, computed by the backend or, for other models, by the host. */
  static CellField score(ScoreModel model) {
    return model instanceof FactorModel factors ? new Score(factors) : new HostScore(model);
  }

  /** Return the elementwise product. */
  static CellField product(CellField... factors) {
    return new Product(List.of(factors));
  }

  /** Return the elementwise square. */
  static CellField square(CellField field) {
    return new Product(List.of(field, field));
  }

  /** Return the elementwise difference. */
  static CellField difference(CellField left, CellField right) {
    return new Linear(List.of(new Linear.Term(1, left), new Linear.Term(-1, right)));
  }
}
