package org.pecf.plugin.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.support.NegativeCells;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;
import org.pecf.testkit.reference.ReferenceComputeSession;

/** The loss and its gradient beside a slow double reference and its finite differences. */
class SoftmaxObjectiveTest {
  private static final GridShape SHAPE = new GridShape(11, 9);
  private static final int RANK = 3;
  private static final double TEMPERATURE = 0.4;

  private final RootAllocator root = new RootAllocator();
  private final SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.4, 3);
  private final SparseCells others = TestGrids.randomCells(root, SHAPE, 0.3, 4);
  private final float[] weights = new float[positives.count()];
  private final double[][] dense = new double[SHAPE.users()][SHAPE.items()];
  private final double[][] nodes = new double[SHAPE.users() + SHAPE.items()][RANK];

  SoftmaxObjectiveTest() {
    SplittableRandom random = new SplittableRandom(5);
    for (int user = 0; user < SHAPE.users(); user++) {
      for (int p = positives.userStart(user); p < positives.userStart(user + 1); p++) {
        weights[p] = (float) (0.2 + random.nextDouble());
        dense[user][positives.itemAt(p)] = weights[p];
      }
    }
    for (double[] node : nodes) {
      for (int k = 0; k < RANK; k++) {
        node[k] = (float) (random.nextDouble() - 0.5);
      }
    }
  }

  @AfterEach
  void closeMemory() {
    positives.close();
    others.close();
    root.close();
  }

  @Test
  void withoutAGraph() {
    check(0, new NegativeCells(List.of(), Optional.empty()), (user, item) -> true);
  }

  @Test
  void smoothedOnce() {
    check(1, new NegativeCells(List.of(), Optional.empty()), (user, item) -> true);
  }

  @Test
  void smoothedThreeTimes() {
    check(3, new NegativeCells(List.of(), Optional.empty()), (user, item) -> true);
  }

  @Test
  void cellsOutsideAPartAreNoNegatives() {
    PartMask mask = new CellPartition(7, 2, 1, 0).mask(Part.TRAINING);
    check(2, new NegativeCells(List.of(), Optional.of(mask)), mask::contains);
  }

  @Test
  void namedCellsAreNoNegatives() {
    check(
        2,
        new NegativeCells(List.of(others), Optional.empty()),
        (user, item) -> !others.contains(user, item));
  }

  /** Batches of 4 of the 11 users in memory at once, so that the last block is not full. */
  private void check(
      int layers, NegativeCells negatives, BiPredicate<Integer, Integer> candidates) {
    ReferenceSoftmax reference = new ReferenceSoftmax(dense, candidates, layers, TEMPERATURE);
    SoftmaxProvider.Options options =
        new SoftmaxProvider.Options(RANK, 1, TEMPERATURE, layers, 0.1, 4);
    RunContext run =
        new RunContext(
            root,
            new DirectParallelism().withThreads(3).shuffled(5),
            () -> false,
            RunListener.none());
    int[] users = {9, 0, 4, 7, 2, 10};
    try (ComputeSession session =
            new ReferenceComputeSession(new SessionContext(run, SHAPE, ComputationPath.AUTO, 0));
        SoftmaxObjective objective =
            new SoftmaxObjective(
                PositiveGraph.of(positives, weights), negatives, options, run, session.matrices());
        FactorModel embeddings = embeddings();
        FactorModel gradient = FactorModel.allocate(root, SHAPE, RANK)) {
      double loss = objective.evaluate(embeddings, users, gradient);
      assertEquals(reference.loss(nodes, users), loss, 1e-5, "the loss");
      double step = 1e-5;
      for (int node = 0; node < nodes.length; node++) {
        for (int k = 0; k < RANK; k++) {
          double value = nodes[node][k];
          nodes[node][k] = value + step;
          double above = reference.loss(nodes, users);
          nodes[node][k] = value - step;
          double below = reference.loss(nodes, users);
          nodes[node][k] = value;
          float slope =
              node < SHAPE.users()
                  ? gradient.users().get(node, k)
                  : gradient.items().get(node - SHAPE.users(), k);
          assertEquals((above - below) / (2 * step), slope, 2e-5, "factor " + k + " of " + node);
        }
      }
      FactorModel factors = objective.factors(embeddings);
      assertEquals(reference.cosine(nodes, 3, 5), factors.scoreAt(3, 5), 1e-5, "a cosine");
    }
  }

  /** Return the nodes with something behind the factors, as in the state of a training. */
  private FactorModel embeddings() {
    FactorModel embeddings = FactorModel.allocate(root, SHAPE, RANK + 2);
    for (int node = 0; node < nodes.length; node++) {
      boolean user = node < SHAPE.users();
      FloatMatrix side = user ? embeddings.users() : embeddings.items();
      for (int k = 0; k < RANK + 2; k++) {
        side.set(user ? node : node - SHAPE.users(), k, k < RANK ? (float) nodes[node][k] : 99);
      }
    }
    return embeddings;
  }
}
