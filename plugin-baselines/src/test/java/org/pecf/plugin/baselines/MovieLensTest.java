package org.pecf.plugin.baselines;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;
import org.pecf.plugin.backend.cpu.CpuBackendProvider;
import org.pecf.testkit.fixture.DirectParallelism;
import org.pecf.testkit.fixture.TestGrids;

/**
 * The baselines on MovieLens 100K, if it is there: positives of 4 stars or more, a fifth held out.
 */
class MovieLensTest {
  private static final GridShape SHAPE = new GridShape(943, 1682);
  private static final int DEPTH = 20;

  @Test
  void neighboursBeatPopularityAndEaseBeatsNeighbours() throws IOException {
    Path file =
        Path.of(
            System.getenv().getOrDefault("PECF_DATA", "../../shared/data"), "ml-100k", "u.data");
    assumeTrue(Files.exists(file), "skipped: there is no " + file + "; set PECF_DATA");
    boolean[][] liked = new boolean[SHAPE.users()][SHAPE.items()];
    for (String line : Files.readAllLines(file)) {
      String[] columns = line.split("\t");
      liked[Integer.parseInt(columns[0]) - 1][Integer.parseInt(columns[1]) - 1] =
          Integer.parseInt(columns[2]) >= 4;
    }
    try (BufferAllocator allocator = new RootAllocator();
        SparseCells training = cells(allocator, liked, false);
        SparseCells heldOut = cells(allocator, liked, true)) {
      double popularity = recall(new PopularityProvider(), allocator, training, heldOut);
      double neighbours = recall(new ItemNeighboursProvider(), allocator, training, heldOut);
      double ease = recall(new EaseProvider(), allocator, training, heldOut);
      String recalls =
          "recall@20 of popularity " + popularity + ", item-knn " + neighbours + ", ease " + ease;
      assertTrue(popularity > 0.1, recalls);
      assertTrue(neighbours > 1.3 * popularity, recalls);
      assertTrue(ease > neighbours, recalls);
    }
  }

  private static SparseCells cells(BufferAllocator allocator, boolean[][] liked, boolean heldOut) {
    return TestGrids.cellsWhere(
        allocator,
        SHAPE,
        (user, item) ->
            liked[user][item]
                && heldOut == (Math.floorMod(new Seed(user).child("item", item).value(), 5) == 0));
  }

  private static <O extends Record> double recall(
      BaseFilterProvider<O> provider,
      BufferAllocator allocator,
      SparseCells training,
      SparseCells heldOut) {
    SessionContext context =
        new SessionContext(
            new RunContext(allocator, new DirectParallelism(), () -> false, RunListener.none()),
            SHAPE,
            ComputationPath.AUTO,
            0);
    TrainingTask task =
        new TrainingTask(
            SHAPE,
            training,
            CellField.observed(training, 1, 0.05f),
            CellField.observed(training, 1, 0),
            Optional.empty());
    try (ComputeSession session = open(new CpuBackendProvider(), context);
        ScoreModel model =
            provider
                .create(provider.options().bind(provider.describe().id(), Map.of()))
                .train(
                    task,
                    new TrainingContext(
                        new RunContext(
                            allocator, new DirectParallelism(), () -> false, RunListener.none()),
                        session,
                        new Seed(1)));
        RankedItems lists =
            session.rank(
                new RankingRequest(
                    CellField.score(model),
                    0,
                    SHAPE.users(),
                    DEPTH,
                    List.of(training),
                    Optional.empty()))) {
      return recall(lists, heldOut);
    }
  }

  private static <O extends Record> ComputeSession open(
      ComputeBackendProvider<O> backend, SessionContext context) {
    return backend.create(backend.options().bind("cpu", Map.of())).open(context);
  }

  private static double recall(RankedItems lists, SparseCells heldOut) {
    double sum = 0;
    int users = 0;
    for (int user = 0; user < SHAPE.users(); user++) {
      int hits = 0;
      for (int place = 0; place < lists.count(user); place++) {
        hits += heldOut.contains(user, lists.item(user, place)) ? 1 : 0;
      }
      if (heldOut.userCount(user) > 0) {
        sum += hits / (double) heldOut.userCount(user);
        users++;
      }
    }
    return sum / users;
  }
}
