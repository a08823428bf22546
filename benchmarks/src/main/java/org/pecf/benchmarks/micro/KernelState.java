package org.pecf.benchmarks.micro;

import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.Ridge;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;

/** The data and factors that kernels are timed on. */
@State(Scope.Benchmark)
public class KernelState {
  /** Which embedded data. */
  @Param("builtin:peer")
  public String data;

  /** How many factors. */
  @Param("64")
  public int rank;

  Workspace workspace;
  Dataset dataset;
  FactorModel factors;
  FactorModel next;
  ComputeSession session;

  /** Load the data and draw factors. */
  @Setup(Level.Trial)
  public void open() {
    workspace =
        new Workspace(
            PluginCatalog.builtIn(), ComputeRequest.standard(), RunListener.none(), () -> false);
    dataset = workspace.load(DataRequest.of(data));
    factors = FactorModel.allocate(workspace.allocator(), dataset.shape(), rank);
    session = workspace.open(dataset.shape(), ComputationPath.CORRECTED);
    next = FactorModel.allocate(workspace.allocator(), dataset.shape(), rank);
    draw(factors, 1);
    draw(next, 2);
  }

  /** Draw factors of the given seed. */
  void draw(FactorModel model, long seed) {
    float[] row = new float[rank];
    for (Side side : Side.values()) {
      FloatMatrix matrix = model.side(side);
      for (int k = 0; k < matrix.rows(); k++) {
        new Seed(seed).child(side.name(), k).fillNormal(row, 0.1);
        matrix.writeRows(k, 1, row);
      }
    }
  }

  /** Return the ratings of all cells. */
  CellField ratings() {
    return CellField.observed(dataset.positives(), 1, 0);
  }

  /** Return the weights of all cells in a first member. */
  CellField confidence() {
    return CellField.observed(dataset.positives(), 1, 0.05f);
  }

  /** Describe plain weighted least squares. */
  LeastSquaresRequest plain() {
    return new LeastSquaresRequest(confidence(), ratings(), rank, new Ridge(2, 2, 0));
  }

  /** Describe weighted least squares on cells re-weighted by the errors of the factors. */
  LeastSquaresRequest reweighted() {
    CellField error = CellField.difference(ratings(), CellField.score(factors));
    CellField rho = new Apply(new Posterior(10, 1, 11), List.of(error));
    return new LeastSquaresRequest(
        CellField.product(confidence(), rho), ratings(), rank, new Ridge(2, 2, 0));
  }

  /** Describe pairwise steps. */
  PairwiseRequest pairwise(PairwiseMode mode) {
    return PairwiseRequest.of(
        dataset.positives(), new PairwisePenalties(0.01, 0.01, 0.01), mode, new Seed(1));
  }

  /** Release everything. */
  @TearDown(Level.Trial)
  public void close() {
    session.close();
    next.close();
    factors.close();
    dataset.close();
    workspace.close();
  }
}
