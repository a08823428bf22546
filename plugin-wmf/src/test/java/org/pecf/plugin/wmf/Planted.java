package org.pecf.plugin.wmf;

import java.util.Optional;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** Planted groups of users and items, and trainings on them by the reference backend. */
final class Planted implements AutoCloseable {
  final GridShape shape;
  final SparseCells positives;
  final TrainingTask task;

  private final RootAllocator root = new RootAllocator();
  private final RunContext run =
      new RunContext(root, new DirectParallelism(), () -> false, RunListener.none());
  private final ComputeSession session;

  /**
   * Draw cells.
   *
   * @param density the share of positives within a group; between groups it is noise
   */
  Planted(GridShape shape, int groups, double density, double noise) {
    this.shape = shape;
    this.positives = TestGrids.planted(root, shape, groups, density, noise, 4);
    this.session =
        new ReferenceComputeSession(new SessionContext(run, shape, ComputationPath.AUTO, 0));
    this.task =
        new TrainingTask(
            shape,
            positives,
            CellField.observed(positives, 1, 0.05f),
            CellField.observed(positives, 1, 0),
            Optional.empty());
  }

  /** Train a model, which the caller closes. */
  FactorModel train(BaseFilter filter, CellField weights, Seed seed) {
    return (FactorModel)
        filter.train(
            new TrainingTask(shape, positives, weights, task.targets(), Optional.empty()),
            new TrainingContext(run, session, seed));
  }

  /** Return {@code sum w (t - f)^2}. */
  double error(FactorModel model) {
    double sum = 0;
    for (int user = 0; user < shape.users(); user++) {
      for (int item = 0; item < shape.items(); item++) {
        double e = task.targets().valueAt(user, item) - model.scoreAt(user, item);
        sum += task.weights().valueAt(user, item) * e * e;
      }
    }
    return sum;
  }

  @Override
  public void close() {
    session.close();
    positives.close();
    root.close();
  }
}
