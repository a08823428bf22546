package org.pecf.benchmarks.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;

/**
 * Time a stored model in plain Java: how long it takes to open, and to make one list. The model has
 * the grid and the positives of the data, and random factors.
 */
@State(Scope.Benchmark)
public class ListBenchmark extends KernelBenchmark {
  private static final int TOP = 10;

  /** How many members. */
  @Param("1")
  public int members;

  /** How the model's file is read. */
  @Param({"MAPPED", "READ"})
  public Opening opening;

  private Path folder;
  private Recommender recommender;
  private int user;

  /** Store the model. */
  @Setup(Level.Trial)
  public void store(KernelState state) throws IOException {
    folder = Files.createTempDirectory("pecf-lists");
    try (StoredModel model = model(state)) {
      ModelStore.save(folder.resolve("model"), model, false, state.workspace.allocator());
    }
    recommender = Recommender.open(folder.resolve("model"), opening);
  }

  private StoredModel model(KernelState state) {
    BufferAllocator allocator = state.workspace.allocator();
    GridShape shape = state.dataset.shape();
    Ensemble ensemble = new Ensemble(shape);
    for (int k = 0; k < members; k++) {
      FactorModel factors = FactorModel.allocate(allocator, shape, state.rank);
      state.draw(factors, k);
      ensemble.add(factors, "random", Combination.CONVEX, 1.0 / (k + 1));
    }
    SparseCells positives = state.dataset.positives();
    SparseCells none =
        SparseCells.ofSorted(allocator, shape.users(), shape.items(), 0, new int[0], new int[0]);
    return new StoredModel(
        ensemble,
        ids(Side.USERS, shape.users(), allocator),
        ids(Side.ITEMS, shape.items(), allocator),
        KnownCells.of(List.of(positives), none, allocator),
        none,
        new ModelDescription(
            "benchmark",
            Instant.EPOCH,
            true,
            0,
            "",
            "{}",
            Map.of(),
            Map.of(),
            ModelDescription.THIS_MODEL));
  }

  private static IdMap ids(Side side, int count, BufferAllocator allocator) {
    BigIntVector ids = new BigIntVector("id", allocator);
    ids.allocateNew(count);
    for (int k = 0; k < count; k++) {
      ids.set(k, 1 + k);
    }
    ids.setValueCount(count);
    return IdMap.of(side, ids);
  }

  /** Open the model and close it. */
  @Benchmark
  public int open() {
    try (Recommender opened = Recommender.open(folder.resolve("model"), opening)) {
      return opened.users().size();
    }
  }

  /** Make the list of the next user. */
  @Benchmark
  public List<Recommendation> list() {
    user = (user + 1) % recommender.users().size();
    return recommender.recommend(recommender.users().textAt(user), TOP);
  }

  /** Delete the model. */
  @TearDown(Level.Trial)
  public void delete() throws IOException {
    recommender.close();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
