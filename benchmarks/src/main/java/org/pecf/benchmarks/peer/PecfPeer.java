package org.pecf.benchmarks.peer;

import java.nio.file.Path;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/** Our own exact sweeps, with a uniform weight of zeros. */
public final class PecfPeer implements Peer {
  private static final float ZERO_CONFIDENCE = 0.05f;
  private static final Ridge RIDGE = new Ridge(2, 2, 0);

  private final Workspace workspace =
      new Workspace(
          PluginCatalog.builtIn(), ComputeRequest.standard(), RunListener.none(), () -> false);
  private Dataset dataset;
  private FactorModel factors;
  private int users;
  private int items;

  @Override
  public String name() {
    return "PECF, plain exact sweep";
  }

  @Override
  public void load(Path file, Positives positives, int rank) {
    dataset = workspace.load(DataRequest.of(file.toString()));
    factors = FactorModel.allocate(workspace.allocator(), dataset.shape(), rank);
    users = positives.users();
    items = positives.items();
  }

  @Override
  public void train(int sweeps) {
    float[] row = new float[factors.rank()];
    for (Side side : Side.values()) {
      FloatMatrix matrix = factors.side(side);
      for (int k = 0; k < matrix.rows(); k++) {
        new Seed(1).child(side.name(), k).fillNormal(row, 0.1);
        matrix.writeRows(k, 1, row);
      }
    }
    CellField weights = CellField.observed(dataset.positives(), 1, ZERO_CONFIDENCE);
    CellField targets = CellField.observed(dataset.positives(), 1, 0);
    try (ComputeSession session = workspace.open(dataset.shape(), ComputationPath.CORRECTED);
        LeastSquares problem =
            session.leastSquares(
                new LeastSquaresRequest(weights, targets, factors.rank(), RIDGE))) {
      for (int sweep = 0; sweep < sweeps; sweep++) {
        problem.solve(Side.USERS, factors);
        problem.solve(Side.ITEMS, factors);
      }
    }
  }

  @Override
  public Factors factors() {
    Factors copy = Factors.zeros(users, items, factors.rank());
    copy(factors.users(), dataset.users(), copy.users());
    copy(factors.items(), dataset.items(), copy.items());
    return copy;
  }

  private static void copy(FloatMatrix matrix, IdMap ids, float[][] rows) {
    for (int k = 0; k < matrix.rows(); k++) {
      matrix.readRow(k, rows[(int) ids.integerAt(k)]);
    }
  }

  @Override
  public void close() {
    if (factors != null) {
      factors.close();
    }
    if (dataset != null) {
      dataset.close();
    }
    workspace.close();
  }
}
