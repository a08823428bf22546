package org.pecf.engine.recommend;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Cancellation;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.Workspace;

/**
 * A stored model that recommends items to its users.
 *
 * <pre>{@code
 * try (Recommender recommender = Recommender.open(Path.of("model"))) {
 *   recommender.recommend("42", 10).forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads at once. It owns its memory: closing it waits for the calls that
 * are under way, and later calls fail.
 *
 * <p>A recommender that is opened by its path alone ranks in plain Java. It needs no plugin and
 * runs no code but the engine's, many threads share it without waiting for each other, and the list
 * of one user takes a few milliseconds, less than a backend takes to start. A recommender that is
 * opened with a workspace ranks on the workspace's backend, which is many times faster for the
 * lists of thousands of users but serves one call at a time; where the workspace may choose the
 * backend and none is available, plain Java takes its place. Both give the same lists, except that
 * scores which differ by less than a rounding error may change places.
 */
public final class Recommender implements AutoCloseable {
  /** The number of users whose lists are made at a time. */
  private static final int BLOCK_USERS = 1024;

  private final StoredModel model;
  private final Ranker ranker;
  private final Cancellation cancellation;
  private final Runnable releaseMemory;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  private Recommender(
      StoredModel model, Ranker ranker, Cancellation cancellation, Runnable releaseMemory) {
    this.model = model;
    this.ranker = ranker;
    this.cancellation = cancellation;
    this.releaseMemory = releaseMemory;
  }

  /**
   * Open a model, to rank in plain Java.
   *
   * @param place the folder of the model
   * @throws PecfException if there is no model, or one that is damaged or of a newer format
   */
  public static Recommender open(Path place) {
    BufferAllocator allocator = new RootAllocator();
    try {
      StoredModel model = ModelStore.open(place, allocator);
      return new Recommender(
          model, new HostRanker(model.ensemble(), Optional.empty()), () -> false, allocator::close);
    } catch (RuntimeException | Error e) {
      closeAfter(e, allocator);
      throw e;
    }
  }

  /**
   * Open a model, to rank on a backend.
   *
   * @param place the folder of the model
   * @param workspace the memory, threads and backend to use; from now on owned by the recommender,
   *     or closed if this method throws
   * @throws PecfException if there is no model, or one that is damaged or of a newer format, or if
   *     the backend that the workspace names is not available
   */
  public static Recommender open(Path place, Workspace workspace) {
    StoredModel model = null;
    try {
      model = ModelStore.open(place, workspace.allocator());
      return new Recommender(
          model, ranker(model, workspace), workspace.cancellation(), workspace::close);
    } catch (RuntimeException | Error e) {
      closeAfter(e, model);
      closeAfter(e, workspace);
      throw e;
    }
  }

  private static Ranker ranker(StoredModel model, Workspace workspace) {
    try {
      return new SessionRanker(
          model.ensemble(), workspace.open(model.ensemble().shape()), workspace.allocator());
    } catch (PecfException e) {
      ProviderChoice backend = workspace.compute().backend();
      if (e.code() == ErrorCode.UNAVAILABLE && backend.id().equals("auto")) {
        return new HostRanker(model.ensemble(), Optional.of(workspace.pool()));
      }
      throw e;
    }
  }

  private static void closeAfter(Throwable problem, AutoCloseable resource) {
    if (resource != null) {
      try {
        resource.close();
      } catch (Exception e) {
        problem.addSuppressed(e);
      }
    }
  }

  /** Return the ids of the users; valid until the recommender is closed. */
  public IdMap users() {
    return model.users();
  }

  /** Return the ids of the items; valid until the recommender is closed. */
  public IdMap items() {
    return model.items();
  }

  /** Return the provenance of the model. */
  public ModelDescription description() {
    return model.description();
  }

  /**
   * Recommend the best items that are not known of a user: neither positives of any part of the
   * model's data, nor rated.
   *
   * @param user the id of the user in the data that the model was trained on
   * @param count the largest number of items
   * @return the items, best first
   * @throws PecfException if the model has no such user, with the nearest ids
   */
  public List<Recommendation> recommend(String user, int count) {
    return recommend(user, RecommendationRequest.top(count));
  }

  /**
   * Recommend items to a user.
   *
   * @param user the id of the user in the data that the model was trained on
   * @param request the wishes for the list
   * @return the items, best first
   * @throws PecfException if the model has no such user, with the nearest ids
   */
  public List<Recommendation> recommend(String user, RecommendationRequest request) {
    return whileOpen(
        () ->
            lists(new int[] {users().indexOf(user)}, request, candidates(request)).get(0).items());
  }

  /**
   * Recommend items to many users.
   *
   * @param users the ids of the users. Not modified.
   * @param request the wishes for each list
   * @return one list per user, in the order of the users; lists are made in blocks as the stream is
   *     read, which throws a {@link PecfException} if the workspace's run is cancelled
   * @throws PecfException if the model lacks one of the users
   */
  public Stream<UserRecommendations> recommend(
      Collection<String> users, RecommendationRequest request) {
    return lists(whileOpen(() -> users.stream().mapToInt(users()::indexOf).toArray()), request);
  }

  /**
   * Recommend items to all users of the model, in the order of their ids.
   *
   * @param request the wishes for each list
   * @return one list per user, made as the stream is read as for {@link #recommend(Collection,
   *     RecommendationRequest) some users}
   */
  public Stream<UserRecommendations> recommendToAll(RecommendationRequest request) {
    return lists(IntStream.range(0, users().size()).toArray(), request);
  }

  private Stream<UserRecommendations> lists(int[] users, RecommendationRequest request) {
    Optional<BitSet> candidates = whileOpen(() -> candidates(request));
    int blocks = (users.length + BLOCK_USERS - 1) / BLOCK_USERS;
    return IntStream.range(0, blocks)
        .mapToObj(
            block -> {
              cancellation.check();
              int start = block * BLOCK_USERS;
              int end = Math.min(users.length, start + BLOCK_USERS);
              int[] some = Arrays.copyOfRange(users, start, end);
              return whileOpen(() -> lists(some, request, candidates));
            })
        .flatMap(List::stream);
  }

  /** Return the items to choose from, unless these are all items. */
  private Optional<BitSet> candidates(RecommendationRequest request) {
    if (request.only().isEmpty() && request.excluded().isEmpty()) {
      return Optional.empty();
    }
    BitSet candidates = new BitSet(items().size());
    if (request.only().isPresent()) {
      request.only().get().forEach(id -> items().search(id).ifPresent(candidates::set));
    } else {
      candidates.set(0, items().size());
    }
    request.excluded().forEach(id -> items().search(id).ifPresent(candidates::clear));
    return Optional.of(candidates);
  }

  /** Return one list per user; a user may occur twice. */
  private List<UserRecommendations> lists(
      int[] users, RecommendationRequest request, Optional<BitSet> candidates) {
    List<SparseCells> excluded = request.includeKnown() ? List.of() : model.known();
    int depth = Math.min(request.count(), items().size());
    int[] distinct = Arrays.stream(users).sorted().distinct().toArray();
    Map<Integer, UserRecommendations> lists = new HashMap<>();
    for (Ranker.Ranked ranked : ranker.rank(distinct, depth, excluded, candidates)) {
      lists.put(ranked.user(), named(ranked));
    }
    return Arrays.stream(users).mapToObj(lists::get).toList();
  }

  private UserRecommendations named(Ranker.Ranked ranked) {
    List<Recommendation> named = new ArrayList<>(ranked.items().length);
    for (int place = 0; place < ranked.items().length; place++) {
      named.add(new Recommendation(items().textAt(ranked.items()[place]), ranked.scores()[place]));
    }
    return new UserRecommendations(users().textAt(ranked.user()), named);
  }

  /** Do something that must not meet the memory being released. */
  private <T> T whileOpen(Supplier<T> call) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("the recommender is closed");
      }
      return call.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Release the model's memory, after the calls that are under way. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        ranker.close();
        model.close();
        releaseMemory.run();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
