package org.pecf.engine.selftest;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/** Made-up ratings and models of a grid, always the same, and the fields that are measured. */
record RateData(SparseCells positives, SparseCells held, FactorModel first, FactorModel second)
    implements AutoCloseable {
  private static final Seed SEED = new Seed(20);

  static RateData of(BufferAllocator allocator, GridShape shape, int rank) {
    return new RateData(
        cells(allocator, shape, 8, 0),
        cells(allocator, shape, 20, 3),
        model(allocator, shape, rank, "first"),
        model(allocator, shape, rank, "second"));
  }

  /**
   * Choose one of the given number of cells by hashes; none of the first user, so that a row is
   * empty.
   */
  private static SparseCells cells(
      BufferAllocator allocator, GridShape shape, int oneOf, int salt) {
    int[] users = new int[Math.toIntExact(shape.cells() / oneOf * 2 + 64)];
    int[] items = new int[users.length];
    int count = 0;
    for (int user = 1; user < shape.users(); user++) {
      for (int item = 0; item < shape.items() && count < users.length; item++) {
        if (Integer.remainderUnsigned(PartMask.hash(31 * user + salt, item), oneOf) == 0) {
          users[count] = user;
          items[count++] = item;
        }
      }
    }
    return SparseCells.ofSorted(allocator, shape.users(), shape.items(), count, users, items);
  }

  static FactorModel model(BufferAllocator allocator, GridShape shape, int rank, String label) {
    FactorModel model = FactorModel.allocate(allocator, shape, rank);
    fill(model.users(), SEED.child(label).child("users"));
    fill(model.items(), SEED.child(label).child("items"));
    return model;
  }

  private static void fill(FloatMatrix matrix, Seed seed) {
    float[] row = new float[matrix.columns()];
    double deviation = 1 / Math.sqrt(Math.sqrt(matrix.columns()));
    for (int k = 0; k < matrix.rows(); k++) {
      seed.child("row", k).fillNormal(row, 0.5 * deviation);
      matrix.writeRows(k, 1, row);
    }
  }

  CellField ratings() {
    return CellField.observed(positives, 1, 0);
  }

  CellField prediction() {
    return new Linear(
        List.of(
            new Linear.Term(0.6f, CellField.score(first)),
            new Linear.Term(0.3f, CellField.score(second))));
  }

  CellField residual() {
    return CellField.difference(ratings(), prediction());
  }

  /** The weights of a progressive round. */
  CellField weights() {
    return CellField.product(
        CellField.observed(positives, 1, 0.01f),
        CellField.observed(held, 0, 1),
        new Apply(new Posterior(10, 1, 11), List.of(residual())));
  }

  @Override
  public void close() {
    positives.close();
    held.close();
    first.close();
    second.close();
  }
}
