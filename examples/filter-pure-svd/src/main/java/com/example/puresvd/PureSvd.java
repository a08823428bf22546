package com.example.puresvd;

import java.util.Map;
import java.util.Set;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.QRDecomposition;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.api.run.TrainingStep;

/**
 * The prediction {@code R Q Q'}: R holds 1 for positives and 0 elsewhere, and the columns of Q are
 * the main directions of its rows, found by subspace iteration {@code Q <- orth(R' R Q)}.
 *
 * <p>It fits ratings only, without weights, so it declares no capability for weights or other targets,
 * and PECF refuses it where they are needed.
 */
final class PureSvd implements BaseFilter {
  private final int rank;
  private final int iterations;

  PureSvd(int rank, int iterations) {
    this.rank = rank;
    this.iterations = iterations;
  }

  @Override
  public Set<FilterCapability> capabilities() {
    return Set.of(FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return FloatMatrix.bytes(shape.users(), rank) + FloatMatrix.bytes(shape.items(), rank);
  }

  @Override
  public ScoreModel train(TrainingTask task, TrainingContext context) {
    SparseCells positives = task.positives();
    // There are no more directions than users or items; further factors stay zero.
    int directions = Math.min(rank, Math.min(task.shape().users(), task.shape().items()));
    DMatrixRMaj basis = orthonormal(random(task.shape().items(), directions, context.seed()));
    for (int step = 1; step <= iterations; step++) {
      context.run().cancellation().check();
      DMatrixRMaj image = applyTransposed(positives, apply(positives, basis));
      basis = orthonormal(image);
      context.run().listener().on(new TrainingStep(PureSvdProvider.ID, step, iterations, Map.of()));
    }
    FactorModel model = FactorModel.allocate(context.run().allocator(), task.shape(), rank);
    write(apply(positives, basis), model.users());
    write(basis, model.items());
    return model.withRules(new RowRules(new RowRule.OfFilter(Map.of()), new RowRule.BestFit()));
  }

  /** Return the factors of a new user, {@code r Q}: the sum of those of the user's items. */
  static float[] newUser(NewRow row) {
    float[] factors = new float[row.others().columns()];
    float[] item = new float[factors.length];
    for (int positive : row.positives()) {
      row.others().readRow(positive, item);
      for (int k = 0; k < item.length; k++) {
        factors[k] += item[k];
      }
    }
    return factors;
  }

  private static DMatrixRMaj random(int rows, int columns, Seed seed) {
    DMatrixRMaj matrix = new DMatrixRMaj(rows, columns);
    float[] row = new float[columns];
    for (int i = 0; i < rows; i++) {
      seed.child("item", i).fillNormal(row, 1);
      for (int k = 0; k < columns; k++) {
        matrix.unsafe_set(i, k, row[k]);
      }
    }
    return matrix;
  }

  /** Return an orthonormal basis of the columns. */
  private static DMatrixRMaj orthonormal(DMatrixRMaj matrix) {
    QRDecomposition<DMatrixRMaj> decomposition =
        DecompositionFactory_DDRM.qr(matrix.numRows, matrix.numCols);
    decomposition.decompose(matrix);
    return decomposition.getQ(null, true);
  }

  /** Return {@code R matrix}. */
  private static DMatrixRMaj apply(SparseCells positives, DMatrixRMaj matrix) {
    DMatrixRMaj product = new DMatrixRMaj(positives.users(), matrix.numCols);
    for (int user = 0; user < positives.users(); user++) {
      for (int at = positives.userStart(user); at < positives.userStart(user + 1); at++) {
        addRow(matrix, positives.itemAt(at), product, user);
      }
    }
    return product;
  }

  /** Return {@code R' matrix}. */
  private static DMatrixRMaj applyTransposed(SparseCells positives, DMatrixRMaj matrix) {
    DMatrixRMaj product = new DMatrixRMaj(positives.items(), matrix.numCols);
    for (int user = 0; user < positives.users(); user++) {
      for (int at = positives.userStart(user); at < positives.userStart(user + 1); at++) {
        addRow(matrix, user, product, positives.itemAt(at));
      }
    }
    return product;
  }

  private static void addRow(DMatrixRMaj from, int source, DMatrixRMaj to, int target) {
    for (int k = 0; k < from.numCols; k++) {
      to.unsafe_set(target, k, to.unsafe_get(target, k) + from.unsafe_get(source, k));
    }
  }

  private static void write(DMatrixRMaj from, FloatMatrix to) {
    float[] row = new float[to.columns()];
    for (int i = 0; i < to.rows(); i++) {
      for (int k = 0; k < from.numCols; k++) {
        row[k] = (float) from.unsafe_get(i, k);
      }
      to.writeRows(i, 1, row);
    }
  }
}
