package org.pecf.tools.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.data.Dataset;
import org.pecf.data.IdMap;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.run.Workspace;
import org.pecf.recommend.RecommendationRequest;
import org.pecf.recommend.Recommender;
import org.pecf.recommend.UserRecommendations;

/**
 * A benchmark of stored models: how long they take to open, and how fast the lists of users are
 * made and written, beside the backend's bare ranking in the same run. The model has the grid and
 * the positives of a dataset, and random factors.
 */
public final class ServingBenchmark {
  private static final int TOP = 10;

  /** The number of users whose lists are made at a time, as a recommender does. */
  private static final int BLOCK_USERS = 1024;

  /** The number of users that plain Java ranks, which takes it longer. */
  private static final int PLAIN_USERS = 200;

  private final Supplier<Workspace> workspaces;
  private final Path folder;
  private final int repetitions;
  private final Consumer<Measurement> output;

  /**
   * Set a benchmark up.
   *
   * @param workspaces the source of workspaces, closed by the benchmark
   * @param folder an empty folder for the model and what is written
   * @param repetitions how often everything is repeated
   * @param output receives every measurement
   */
  public ServingBenchmark(
      Supplier<Workspace> workspaces, Path folder, int repetitions, Consumer<Measurement> output) {
    this.workspaces = workspaces;
    this.folder = folder;
    this.repetitions = repetitions;
    this.output = output;
  }

  /**
   * A way to write lists.
   *
   * @param name the name of the format
   * @param writer writes lists to a new file
   */
  public record Format(String name, Writer writer) {}

  /** A writer of lists to a new file. */
  @FunctionalInterface
  public interface Writer {
    void write(Iterator<UserRecommendations> lists, Recommender recommender, Path file);
  }

  /**
   * Measure everything.
   *
   * @param lists whether to make and write the lists of all users, which takes long for large
   *     models
   * @param dataset the grid and the positives
   * @param rank the rank of the model's members
   * @param members the number of members
   * @param formats the formats in which the lists of all users are written
   * @return the bytes of the model
   */
  public long run(Dataset dataset, int rank, int members, List<Format> formats, boolean lists) {
    Path place = folder.resolve("model");
    try (Workspace workspace = workspaces.get();
        StoredModel model = model(dataset, rank, members, workspace.allocator())) {
      ModelStore.save(place, model, false, workspace.allocator());
      if (lists) {
        bareRanking(model, workspace);
      }
    }
    if (lists) {
      lists(place, formats);
    }
    for (Opening opening : Opening.values()) {
      plainJava(place, opening);
    }
    return bytes(place);
  }

  private void lists(Path place, List<Format> formats) {
    try (Workspace workspace = workspaces.get();
        Recommender recommender = Recommender.open(place, workspace)) {
      RecommendationRequest request = RecommendationRequest.top(TOP);
      int users = recommender.users().size();
      measure("lists, not written", users, () -> recommender.recommendToAll(request).count());
      for (Format format : formats) {
        Path file = folder.resolve("lists." + format.name());
        measure(
            "lists, " + format.name(),
            users,
            () -> {
              delete(file);
              format
                  .writer()
                  .write(recommender.recommendToAll(request).iterator(), recommender, file);
            });
      }
    }
  }

  private void plainJava(Path place, Opening opening) {
    String way = opening.name().toLowerCase(Locale.ROOT);
    measure("opening, " + way, 0, () -> Recommender.open(place, opening).close());
    measure(
        "opening and one list, " + way,
        0,
        () -> {
          try (Recommender recommender = Recommender.open(place, opening)) {
            recommender.recommend(recommender.users().textAt(0), TOP);
          }
        });
    try (Recommender recommender = Recommender.open(place, opening)) {
      List<String> users =
          IntStream.range(0, Math.min(PLAIN_USERS, recommender.users().size()))
              .mapToObj(recommender.users()::textAt)
              .toList();
      measure(
          "plain Java, " + way,
          users.size(),
          () -> users.forEach(user -> recommender.recommend(user, TOP)));
    }
  }

  private void measure(String name, int users, Runnable something) {
    output.accept(
        Stopwatch.bestOfProcess(name, users, users == 0 ? "" : "user", repetitions, something));
  }

  private void bareRanking(StoredModel model, Workspace workspace) {
    CellField prediction = model.ensemble().prediction();
    int users = model.ensemble().shape().users();
    try (ComputeSession session = workspace.open(model.ensemble().shape())) {
      measure(
          "bare ranking",
          users,
          () -> {
            for (int user = 0; user < users; user += BLOCK_USERS) {
              int count = Math.min(BLOCK_USERS, users - user);
              try (RankedItems ranked =
                  session.rank(
                      new RankingRequest(
                          prediction, user, count, TOP, model.known(), Optional.empty()))) {
                ranked.count(0);
              }
            }
          });
    }
  }

  private static StoredModel model(
      Dataset dataset, int rank, int members, BufferAllocator allocator) {
    GridShape shape = dataset.shape();
    Ensemble ensemble = new Ensemble(shape);
    for (int k = 0; k < members; k++) {
      FactorModel factors = FactorModel.allocate(allocator, shape, rank);
      for (Side side : Side.values()) {
        randomise(factors.side(side), new Seed(k).child(side.name()));
      }
      ensemble.add(factors, "random", Combination.CONVEX, 1.0 / (k + 1));
    }
    SparseCells positives = dataset.positives();
    SparseCells none = none(positives, allocator);
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

  private static SparseCells none(SparseCells like, BufferAllocator allocator) {
    return SparseCells.ofSorted(allocator, like.users(), like.items(), 0, new int[0], new int[0]);
  }

  private static void randomise(FloatMatrix matrix, Seed seed) {
    float[] row = new float[matrix.columns()];
    for (int k = 0; k < matrix.rows(); k++) {
      seed.child("row", k).fillNormal(row, 0.1);
      matrix.writeRows(k, 1, row);
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

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long bytes(Path place) {
    try (Stream<Path> files = Files.list(place)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Delete the folder of a benchmark with all that it wrote. */
  public static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
