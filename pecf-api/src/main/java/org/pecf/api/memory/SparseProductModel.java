package org.pecf.api.memory;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * A model that scores a cell by a product of sparse matrices: {@code intercept + sum_k left_ik
 * right_kj}, added up in the order of k.
 *
 * <p>Neighbourhoods are such models. The index k runs over one side of the grid:
 *
 * <ul>
 *   <li>Over {@link Side#ITEMS}, the model is an item-to-item one. A row of left is the profile of
 *       a user, one at each of the user's items, and right holds how much item k speaks for item j.
 *       A user who was not trained has a profile all the same, so {@link #scoreRow(int[], float[],
 *       float[])} with a one for each item of it gives the scores that the user would have had, as
 *       far as right would not have changed.
 *   <li>Over {@link Side#USERS}, the model is a user-to-user one. A row of left is how similar a
 *       user is to each other user, and right holds the profiles of all. The similarities of a new
 *       user are not in the model: they follow from the training by the model's rule, if it has
 *       one, and give the scores by the same method.
 * </ul>
 *
 * @param inner the side that k runs over
 * @param left one row per user, one column per k
 * @param right one row per k, one column per item
 * @param intercept the score where the product is zero
 * @param newUsers how a new user's similarities are computed; only of a model over users
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SparseProductModel(
    Side inner,
    SparseMatrix left,
    SparseMatrix right,
    float intercept,
    Optional<RowRule.Neighbours> newUsers)
    implements ScoreModel {
  public SparseProductModel {
    if (inner == Side.ITEMS && newUsers.isPresent()) {
      throw new IllegalArgumentException("a product over items has no similarities of users");
    }
    int size = inner == Side.USERS ? left.rows() : right.columns();
    if (left.columns() != size || right.rows() != size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a product of %d x %d and %d x %d does not run over the %s",
              left.rows(),
              left.columns(),
              right.rows(),
              right.columns(),
              inner));
    }
  }

  /** Create a model without a rule for new users. */
  public SparseProductModel(Side inner, SparseMatrix left, SparseMatrix right, float intercept) {
    this(inner, left, right, intercept, Optional.empty());
  }

  /** Return the model with a rule for new users; it takes the place of this one. */
  public SparseProductModel withRule(RowRule.Neighbours rule) {
    return new SparseProductModel(inner, left, right, intercept, Optional.of(rule));
  }

  /**
   * Return the model with similarities that are multiplied by a number, and another intercept; it
   * takes the place of this one.
   *
   * @param factor multiplies the similarities, which are modified
   */
  public SparseProductModel scaled(float factor, float newIntercept) {
    similarities().scale(factor);
    return new SparseProductModel(
        inner, left, right, newIntercept, newUsers.map(rule -> rule.times(factor)));
  }

  @Override
  public SparseProductModel lent() {
    return new SparseProductModel(inner, left.lent(), right.lent(), intercept, newUsers);
  }

  /** Return the matrix of similarities: of items to items, or of users to users. */
  public SparseMatrix similarities() {
    return inner == Side.ITEMS ? right : left;
  }

  @Override
  public GridShape shape() {
    return new GridShape(left.rows(), right.columns());
  }

  @Override
  public float scoreAt(int user, int item) {
    float sum = 0;
    for (int p = left.rowStart(user); p < left.rowStart(user + 1); p++) {
      sum += left.valueAt(p) * right.get(left.columnAt(p), item);
    }
    return sum + intercept;
  }

  @Override
  public void fill(int firstUser, int firstItem, FloatMatrix tile) {
    float[] sums = new float[tile.columns()];
    SparseMatrix.Entries ofLeft = left.entries();
    SparseMatrix.Entries ofRight = right.entries();
    for (int row = 0; row < tile.rows(); row++) {
      fill(firstUser + row, ofLeft, ofRight, firstItem, sums);
      tile.writeRows(row, 1, sums);
    }
  }

  @Override
  public void scoreRow(int user, float[] scores) {
    fill(user, left.entries(), right.entries(), 0, scores);
  }

  private void fill(
      int user,
      SparseMatrix.Entries ofLeft,
      SparseMatrix.Entries ofRight,
      int first,
      float[] sums) {
    Arrays.fill(sums, 0);
    int end = ofLeft.start(user + 1);
    for (int p = ofLeft.start(user); p < end; p++) {
      ofRight.addRow(ofLeft.column(p), ofLeft.value(p), first, sums);
    }
    addIntercept(sums);
  }

  /**
   * Score all items for a row that need not be one of the left matrix: {@code intercept + sum_k
   * row_k right_kj}.
   *
   * @param columns the k of each entry of the row, ascending. Not modified.
   * @param values the value of each entry. Not modified.
   * @param scores one element per item. Modified.
   */
  public void scoreRow(int[] columns, float[] values, float[] scores) {
    SparseMatrix.Entries ofRight = right.entries();
    Arrays.fill(scores, 0);
    for (int p = 0; p < columns.length; p++) {
      ofRight.addRow(columns[p], values[p], 0, scores);
    }
    addIntercept(scores);
  }

  private void addIntercept(float[] sums) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] += intercept;
    }
  }

  @Override
  public SparseProductModel transferTo(BufferAllocator target) {
    return new SparseProductModel(
        inner, left.transferTo(target), right.transferTo(target), intercept, newUsers);
  }

  @Override
  public void close() {
    left.close();
    right.close();
  }
}
