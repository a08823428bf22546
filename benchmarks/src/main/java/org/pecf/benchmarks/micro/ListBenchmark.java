package org.pecf.benchmarks.micro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
import org.pecf.api.memory.FloatMatrix;
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
 * the users and positives of the data, or a positive a user of other items, and random factors.
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

  /** How many items; 0 for those of the data. */
  @Param("0")
  public int items;

  /** The power by which the norms of items fall, the first of which is the longest. */
  @Param("0")
  public double fall;

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
    GridShape shape =
        new GridShape(
            state.dataset.shape().users(), items > 0 ? items : state.dataset.shape().items());
    Ensemble ensemble = new Ensemble(shape);
    for (int k = 0; k < members; k++) {
      FactorModel factors = FactorModel.allocate(allocator, shape, state.rank);
      state.draw(factors, k);
      scale(factors.items());
      ensemble.add(factors, "random", Combination.CONVEX, 1.0 / (k + 1));
    }
    SparseCells none =
        SparseCells.ofSorted(allocator, shape.users(), shape.items(), 0, new int[0], new int[0]);
    SparseCells known;
    if (items > 0) {
      int users = shape.users();
      int[] all = IntStream.range(0, users).toArray();
      try (SparseCells positives =
          SparseCells.ofSorted(allocator, users, items, users, all, new int[users])) {
        known = KnownCells.of(List.of(positives), none, allocator);
      }
    } else {
      known = KnownCells.of(List.of(state.dataset.positives()), none, allocator);
    }
    return new StoredModel(
        ensemble,
        ids(Side.USERS, shape.users(), allocator),
        ids(Side.ITEMS, shape.items(), allocator),
        known,
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

  private void scale(FloatMatrix factors) {
    float[] row = new float[factors.columns()];
    for (int item = 0; item < factors.rows(); item++) {
      factors.readRow(item, row);
      for (int j = 0; j < row.length; j++) {
        row[j] *= (float) Math.pow(1 + item, -fall);
      }
      factors.writeRows(item, 1, row);
    }
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
