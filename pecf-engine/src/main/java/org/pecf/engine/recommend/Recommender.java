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
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.util.AutoCloseables;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.data.MemoryBudget;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.recommend.UserRecommendations.Source;
import org.pecf.engine.recommend.foldin.FoldIn;
import org.pecf.engine.resource.Workspace;

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
 * <p>A recommender that is opened by its path alone maps the files of the model, which takes
 * milliseconds whatever their size, and ranks in plain Java. It needs no plugin and runs no code
 * but the engine's, many threads share it without waiting for each other, and the list of one user
 * takes a few milliseconds, less than a backend takes to start. A recommender that is opened with a
 * workspace ranks on the workspace's backend, which is many times faster for the lists of thousands
 * of users but serves one call at a time; where the workspace may choose the backend and none is
 * available, plain Java takes its place. Both give the same lists, except that scores which differ
 * by less than a rounding error may change places.
 *
 * <p>The files of a mapped model must not be changed while it is open. Saving another model in its
 * place does not change them: the old files stay until the recommender is closed. A file that is
 * cut short in place, or cannot be read any more, makes a call fail, with a {@link PecfException}
 * or, as Java 17 may notice it only after the call has returned, with an {@link InternalError}.
 */
public final class Recommender implements AutoCloseable {
  /** The number of users whose lists are made at a time. */
  private static final int BLOCK_USERS = 1024;

  private final Path place;
  private final Opening opening;
  private final StoredModel model;
  private final Ranker ranker;
  private final NewRows newRows;
  private final Optional<Parallelism> parallelism;
  private final Cancellation cancellation;
  private final Runnable release;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;
  private float @Nullable [] popularity;

  private Recommender(
      Path place,
      Opening opening,
      StoredModel model,
      Ranker ranker,
      Optional<Workspace> workspace,
      Runnable release) {
    this.place = place;
    this.opening = opening;
    this.model = model;
    this.ranker = ranker;
    this.newRows = new NewRows(model, workspace);
    this.parallelism = workspace.map(Workspace::pool);
    this.cancellation = workspace.map(Workspace::cancellation).orElse(() -> false);
    this.release = release;
  }

  /**
   * Open a model, to rank in plain Java. Its files are mapped, and not verified beyond their
   * layout: whoever does not trust the disk {@linkplain #open(Path, Opening) verifies} them.
   *
   * @param place the folder of the model
   * @throws PecfException if there is no model, or one that lacks something or is of a newer format
   */
  public static Recommender open(Path place) {
    return open(place, Opening.MAPPED);
  }

  /**
   * Open a model, to rank in plain Java.
   *
   * @param place the folder of the model
   * @param opening how its files come into memory and what of them is checked
   * @throws PecfException if there is no model, or one that is damaged or of a newer format
   */
  public static Recommender open(Path place, Opening opening) {
    BufferAllocator allocator = MemoryBudget.allocator();
    try {
      StoredModel model = ModelStore.open(place, opening, allocator);
      return new Recommender(
          place,
          opening,
          model,
          new HostRanker(model.ensemble(), Optional.empty()),
          Optional.empty(),
          () -> {
            model.close();
            allocator.close();
          });
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, allocator);
      throw e;
    }
  }

  /**
   * Open a model, to rank on a backend. It is read into memory after all of it is verified.
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
      StoredModel opened = ModelStore.open(place, workspace.allocator());
      model = opened;
      return new Recommender(
          place,
          Opening.READ,
          opened,
          ranker(opened, workspace),
          Optional.of(workspace),
          () -> {
            opened.close();
            workspace.close();
          });
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, model);
      AutoCloseables.close(e, workspace);
      throw e;
    }
  }

  /**
   * Recommend from a model in memory, in plain Java.
   *
   * @param model borrowed as long as the recommender is open
   * @param release called when the recommender is closed
   */
  public static Recommender of(StoredModel model, Runnable release) {
    return new Recommender(
        Path.of(""),
        Opening.READ,
        model,
        new HostRanker(model.ensemble(), Optional.empty()),
        Optional.empty(),
        release);
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
   * Return the rule by which ratings were positives in the data that the model was trained on.
   *
   * @throws PecfException if the model does not say
   */
  public PositiveRule positives() {
    return RequestJson.read(description().request()).data().positive();
  }

  /**
   * Return the items that the model was trained to know a user by, in the order of their ids.
   *
   * @param user the id of the user in the data that the model was trained on
   * @throws PecfException if the model has no such user, with the nearest ids
   */
  public List<String> liked(String user) {
    return whileOpen(
        () -> Arrays.stream(liked(users().indexOf(user))).mapToObj(items()::textAt).toList());
  }

  /**
   * Return the number of users of whom the model knows no item, so that lists are of popular ones.
   */
  public int usersWithoutItems() {
    return whileOpen(
        () ->
            (int)
                IntStream.range(0, users().size())
                    .filter(user -> model.training().userCount(user) == 0)
                    .count());
  }

  private int[] liked(int user) {
    SparseCells training = model.training();
    return IntStream.range(training.userStart(user), training.userStart(user + 1))
        .map(training::itemAt)
        .toArray();
  }

  /**
   * Recommend the best items that are not known of a user: neither positives of any part of the
   * model's data, nor rated.
   *
   * @param user the id of the user in the data that the model was trained on
   * @param count the largest number of items
   * @return the items, best first; the most popular ones for a user of whom the model knows no item
   */
  public List<Recommendation> recommend(String user, int count) {
    return recommend(user, RecommendationRequest.top(count));
  }

  /**
   * Recommend items to a user.
   *
   * @param user the id of the user in the data that the model was trained on
   * @param request the wishes for the list
   * @return the items, best first; {@linkplain #recommend(Collection, RecommendationRequest) lists
   *     of users} also tell where they come from
   * @throws PecfException if the model has no such user and the request is strict, with the nearest
   *     ids
   */
  public List<Recommendation> recommend(String user, RecommendationRequest request) {
    return recommend(List.of(user), request).findFirst().orElseThrow().items();
  }

  /**
   * Recommend items to many users.
   *
   * @param users the ids of the users. Not modified.
   * @param request the wishes for each list
   * @return one list per user, in the order of the users; lists are made in blocks as the stream is
   *     read, which throws a {@link PecfException} if the workspace's run is cancelled
   * @throws PecfException if the model lacks one of the users and the request is strict
   */
  public Stream<UserRecommendations> recommend(
      Collection<String> users, RecommendationRequest request) {
    List<String> named = List.copyOf(users);
    int[] found =
        whileOpen(
            () ->
                named.stream()
                    .mapToInt(
                        id ->
                            request.strict() ? users().indexOf(id) : users().search(id).orElse(-1))
                    .toArray());
    return lists(found, named::get, request);
  }

  /**
   * Recommend items to all users of the model, in the order of their ids.
   *
   * @param request the wishes for each list
   * @return one list per user, made as the stream is read as for {@link #recommend(Collection,
   *     RecommendationRequest) some users}
   */
  public Stream<UserRecommendations> recommendToAll(RecommendationRequest request) {
    return lists(IntStream.range(0, users().size()).toArray(), users()::textAt, request);
  }

  /** Return the lists of users by their indexes, negative for somebody unknown, and their ids. */
  private Stream<UserRecommendations> lists(
      int[] users, IntFunction<String> ids, RecommendationRequest request) {
    Optional<BitSet> candidates = whileOpen(() -> candidates(request));
    int blocks = (users.length + BLOCK_USERS - 1) / BLOCK_USERS;
    return IntStream.range(0, blocks)
        .mapToObj(
            block -> {
              cancellation.check();
              int start = block * BLOCK_USERS;
              int end = Math.min(users.length, start + BLOCK_USERS);
              int[] some = Arrays.copyOfRange(users, start, end);
              return whileOpen(
                  () -> lists(some, place -> ids.apply(start + place), request, candidates));
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

  /**
   * Recommend items to a new user, by the items that the user likes: the best ones but those.
   *
   * @param items the ids of the items, in any order
   * @param count the largest number of items
   * @return the items, best first; the most popular ones where none is given
   * @throws PecfException if the model lacks one of the items, or cannot take in new users
   */
  public List<Recommendation> recommendFor(Collection<String> items, int count) {
    return recommendFor(items, RecommendationRequest.top(count));
  }

  /**
   * Recommend items to a new user, by the items that the user likes. The user is fitted to every
   * member as in training, and what the users of the liked items have in common counts as much; the
   * model stays as it is.
   *
   * @param items the ids of the items, in any order
   * @param request the wishes for the list; known are the items given
   * @return the items, best first; the most popular ones where none is given
   * @throws PecfException if the model lacks one of the items, cannot take in new users, or none is
   *     given and the request is strict
   */
  public List<Recommendation> recommendFor(
      Collection<String> items, RecommendationRequest request) {
    return whileOpen(
        () -> {
          int[] liked = NewRows.find(items(), items, UnknownItems.REFUSE).indexes();
          if (liked.length == 0 && request.strict()) {
            throw PecfException.badOption(
                "A new user is known by items, and none is given. Name one that the user likes.");
          }
          return newUserList("", liked, request).items();
        });
  }

  /**
   * Recommend items to many new users.
   *
   * @param newUsers the users and the items that they like
   * @param request the wishes for each list; known are the items that a user likes
   * @param unknown how to deal with items that the model does not have
   * @return the counts of users and items, and one list per user, in the order of the users; lists
   *     are made in blocks as the stream is read, which throws a {@link PecfException} if the
   *     workspace's run is cancelled
   * @throws PecfException if the model lacks an item and that is refused, or cannot take in new
   *     users
   */
  public NewUserLists recommendFor(
      List<NewUser> newUsers, RecommendationRequest request, UnknownItems unknown) {
    List<NewRows.Found> found =
        whileOpen(
            () ->
                newUsers.stream()
                    .map(user -> NewRows.find(items(), user.items(), unknown))
                    .toList());
    if (found.stream().anyMatch(user -> user.indexes().length > 0)) {
      whileOpen(newRows::users);
    }
    int blocks = (found.size() + BLOCK_USERS - 1) / BLOCK_USERS;
    Stream<UserRecommendations> lists =
        IntStream.range(0, blocks)
            .mapToObj(block -> newUserLists(block * BLOCK_USERS, newUsers, found, request))
            .flatMap(List::stream);
    return new NewUserLists(
        found.size(),
        found.stream().mapToInt(user -> user.indexes().length).sum(),
        found.stream().mapToInt(NewRows.Found::unknown).sum(),
        (int) found.stream().filter(user -> user.indexes().length == 0).count(),
        lists);
  }

  private List<UserRecommendations> newUserLists(
      int first, List<NewUser> newUsers, List<NewRows.Found> found, RecommendationRequest request) {
    cancellation.check();
    UserRecommendations[] lists =
        new UserRecommendations[Math.min(found.size() - first, BLOCK_USERS)];
    return whileOpen(
        () -> {
          inParallel(
              lists.length,
              index ->
                  lists[index] =
                      newUserList(
                          newUsers.get(first + index).id(),
                          found.get(first + index).indexes(),
                          request));
          return List.of(lists);
        });
  }

  /**
   * Return the items most similar to one: which its users have oftener than chance would have it,
   * and, where common users say little, whose factors point the same way.
   *
   * @param item the id of the item
   * @param count the largest number of items
   * @return the items, most similar first, without the item itself; scores are similarities
   * @throws PecfException if the model has no such item
   */
  public List<Recommendation> similar(String item, int count) {
    RecommendationRequest request = RecommendationRequest.top(count);
    return whileOpen(
        () -> best(newRows.similarity().to(items().indexOf(item)), request.count(), items()));
  }

  /**
   * Return the items most similar to each item of the model, in the order of their ids.
   *
   * @param count the largest number of items in a list
   * @return one list per item; lists are made in blocks as the stream is read, which throws a
   *     {@link PecfException} if the workspace's run is cancelled
   */
  public Stream<UserRecommendations> similarToAll(int count) {
    RecommendationRequest request = RecommendationRequest.top(count);
    int blocks = (items().size() + BLOCK_USERS - 1) / BLOCK_USERS;
    return IntStream.range(0, blocks)
        .mapToObj(block -> similar(block * BLOCK_USERS, request.count()))
        .flatMap(List::stream);
  }

  private List<UserRecommendations> similar(int first, int count) {
    cancellation.check();
    return whileOpen(
        () -> {
          UserRecommendations[] lists =
              new UserRecommendations[Math.min(items().size() - first, BLOCK_USERS)];
          ItemSimilarity similarity = newRows.similarity();
          inParallel(
              lists.length,
              index ->
                  lists[index] =
                      new UserRecommendations(
                          items().textAt(first + index),
                          Source.MODEL,
                          best(similarity.to(first + index), count, items())));
          return List.of(lists);
        });
  }

  /**
   * Return the items most similar to a new one, which is fitted by the users who like it.
   *
   * @param users the ids of the users, in any order
   * @param count the largest number of items
   * @return the items, most similar first; scores are similarities
   * @throws PecfException if the model lacks one of the users, or cannot take in new items
   */
  public List<Recommendation> similarToNew(Collection<String> users, int count) {
    RecommendationRequest request = RecommendationRequest.top(count);
    return whileOpen(
        () -> {
          int[] found = itsUsers(users);
          return best(
              newRows.similarity().toNew(found, () -> newRows.item(found).factors()),
              request.count(),
              items());
        });
  }

  /**
   * Recommend users for a new item, which is fitted by the users who like it: the best ones but
   * those.
   *
   * @param users the ids of the users who like the item, in any order
   * @param count the largest number of users
   * @return the users, best first
   * @throws PecfException if the model lacks one of the users, or cannot take in new items
   */
  public List<Recommendation> audienceOfNew(Collection<String> users, int count) {
    RecommendationRequest request = RecommendationRequest.top(count);
    return whileOpen(
        () -> {
          int[] found = itsUsers(users);
          float[] scores = newRows.item(found).scores();
          for (int user : found) {
            scores[user] = Float.NaN;
          }
          return best(scores, request.count(), users());
        });
  }

  private int[] itsUsers(Collection<String> users) {
    int[] found = NewRows.find(users(), users, UnknownItems.REFUSE).indexes();
    if (found.length == 0) {
      throw PecfException.badOption(
          "A new item is known by users, and none is given. Name one who likes it.");
    }
    return found;
  }

  /**
   * Explain the score of an item for a user: the share of each member and of the items that the
   * user likes, and ranks.
   *
   * @param user the id of the user
   * @param item the id of the item, known of the user or not
   * @throws PecfException if the model has no such user or item
   */
  public Explanation explain(String user, String item) {
    return whileOpen(
        () -> {
          int index = users().indexOf(user);
          int[] liked = liked(index);
          BitSet known = new BitSet();
          for (SparseCells cells : model.known()) {
            for (int k = cells.userStart(index); k < cells.userStart(index + 1); k++) {
              known.set(cells.itemAt(k));
            }
          }
          FoldIn foldIn = newRows.users();
          return new Explainer(model, foldIn)
              .explain(
                  user,
                  liked,
                  foldIn.trained(index),
                  items().indexOf(item),
                  known,
                  Optional.empty());
        });
  }

  /**
   * Explain the score of an item for a new user.
   *
   * @param items the ids of the items that the user likes, in any order
   * @param item the id of the item
   * @throws PecfException if the model lacks one of the items, or cannot take in new users
   */
  public Explanation explainFor(Collection<String> items, String item) {
    return whileOpen(
        () -> {
          int[] liked = NewRows.find(items(), items, UnknownItems.REFUSE).indexes();
          BitSet known = new BitSet();
          Arrays.stream(liked).forEach(known::set);
          NewRows.User user = newRows.user(liked);
          return new Explainer(model, newRows.users())
              .explain(
                  "",
                  liked,
                  user.fitted().memberScores(),
                  items().indexOf(item),
                  known,
                  Optional.of(new Explainer.Support(user, newRows.similarity())));
        });
  }

  private void inParallel(int count, IntConsumer task) {
    if (parallelism.isPresent() && count > 1) {
      parallelism.get().forEach(count, (index, worker) -> task.accept(index));
    } else {
      IntStream.range(0, count).forEach(task);
    }
  }

  private UserRecommendations newUserList(String id, int[] liked, RecommendationRequest request) {
    if (liked.length == 0) {
      return request.strict()
          ? new UserRecommendations(id, Source.MODEL, List.of())
          : new UserRecommendations(
              id, Source.POPULAR, popular(request, candidates(request), List.of()));
    }
    float[] scores = newRows.user(liked).scores();
    if (!request.includeKnown()) {
      for (int item : liked) {
        scores[item] = Float.NaN;
      }
    }
    keep(candidates(request), scores);
    return new UserRecommendations(id, Source.MODEL, best(scores, request.count(), items()));
  }

  /** Return the items that most users like but known ones, scored by the number of these users. */
  private List<Recommendation> popular(
      RecommendationRequest request, Optional<BitSet> candidates, List<Integer> known) {
    float[] scores = popularity().clone();
    known.forEach(item -> scores[item] = Float.NaN);
    keep(candidates, scores);
    return best(scores, request.count(), items());
  }

  private synchronized float[] popularity() {
    if (popularity == null) {
      SparseCells training = model.training();
      float[] counts = new float[items().size()];
      for (int cell = 0; cell < training.count(); cell++) {
        counts[training.itemAt(cell)]++;
      }
      popularity = counts;
    }
    return popularity;
  }

  /** Leave no number but for candidates. */
  private static void keep(Optional<BitSet> candidates, float[] scores) {
    candidates.ifPresent(
        kept -> {
          for (int item = 0; item < scores.length; item++) {
            scores[item] = kept.get(item) ? scores[item] : Float.NaN;
          }
        });
  }

  /** Return the highest scores that are numbers, with ids. */
  private static List<Recommendation> best(float[] scores, int count, IdMap ids) {
    BestItems best = new BestItems(Math.min(count, scores.length));
    for (int index = 0; index < scores.length; index++) {
      best.offer(index, scores[index]);
    }
    return named(best.ranked(0), ids);
  }

  /** Return one list per user; a user may occur twice. */
  private List<UserRecommendations> lists(
      int[] users,
      IntFunction<String> ids,
      RecommendationRequest request,
      Optional<BitSet> candidates) {
    List<SparseCells> excluded = request.includeKnown() ? List.of() : model.known();
    int depth = Math.min(request.count(), items().size());
    int[] distinct =
        Arrays.stream(users)
            .filter(user -> user >= 0 && (request.strict() || model.training().userCount(user) > 0))
            .sorted()
            .distinct()
            .toArray();
    Map<Integer, UserRecommendations> lists = new HashMap<>();
    if (distinct.length > 0) {
      for (Ranker.Ranked ranked : ranker.rank(distinct, depth, excluded, candidates)) {
        lists.put(
            ranked.user(),
            new UserRecommendations(
                users().textAt(ranked.user()), Source.MODEL, named(ranked, items())));
      }
    }
    List<Recommendation> popular =
        Arrays.stream(users).anyMatch(user -> user < 0)
            ? popular(request, candidates, List.of())
            : List.of();
    return IntStream.range(0, users.length)
        .mapToObj(
            place -> {
              int user = users[place];
              return user >= 0 && lists.containsKey(user)
                  ? lists.get(user)
                  : new UserRecommendations(
                      ids.apply(place),
                      Source.POPULAR,
                      user < 0 ? popular : popular(request, candidates, knownOf(user, excluded)));
            })
        .toList();
  }

  private static List<Integer> knownOf(int user, List<SparseCells> parts) {
    List<Integer> known = new ArrayList<>();
    for (SparseCells cells : parts) {
      for (int k = cells.userStart(user); k < cells.userStart(user + 1); k++) {
        known.add(cells.itemAt(k));
      }
    }
    return known;
  }

  private static List<Recommendation> named(Ranker.Ranked ranked, IdMap ids) {
    List<Recommendation> named = new ArrayList<>(ranked.items().length);
    for (int place = 0; place < ranked.items().length; place++) {
      named.add(new Recommendation(ids.textAt(ranked.items()[place]), ranked.scores()[place]));
    }
    return named;
  }

  /** Do something that must not meet the memory being released. */
  private <T> T whileOpen(Supplier<T> call) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("the recommender is closed");
      }
      return call.get();
    } catch (IndexOutOfBoundsException e) {
      throw opening == Opening.MAPPED ? damaged("is damaged", e) : e;
    } catch (InternalError e) {
      if (opening == Opening.READ) {
        throw e;
      }
      throw damaged("was cut short or cannot be read any more", e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Return the report that a mapped model turned out not to be what it should be. */
  private PecfException damaged(String what, Throwable cause) {
    return PecfException.badModel(
            "The model at %s %s (%s). Restore it from a copy, or train again, and open it again.",
            place, what, cause.getMessage())
        .causedBy(cause);
  }

  /** Release the model's memory, after the calls that are under way. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        ranker.close();
        release.run();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
