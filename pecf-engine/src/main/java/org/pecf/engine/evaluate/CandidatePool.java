package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.engine.data.split.MeasuredPart;

/**
 * Some items for each user of a part, with their scores under models to be mixed, so that mixtures
 * can be measured thousands of times without ranking all items. Of many users an even sample is
 * taken, by their number alone.
 */
public final class CandidatePool {
  /** The most scores that are kept. */
  private static final long MOST_SCORES = 100L << 20;

  private static final int TILE_FLOATS = 1 << 24;
  private static final int MOST_ROWS = 256;

  /** The users between two that are wanted who are scored for nothing rather than left out. */
  private static final int MOST_GAP = 16;

  /** The number of users that a thread measures at a time. */
  private static final int TASK_USERS = 64;

  private final Metrics metrics;
  private final MetricKey key;
  private final Parallelism parallelism;
  private final int models;
  private final List<Candidates> users;

  /**
   * The candidates of a user.
   *
   * @param positives the number of positives held out
   * @param places which of the items are positives held out, ascending
   * @param scores the scores of the items, by model
   */
  private record Candidates(int user, int positives, int[] places, float[][] scores) {}

  private CandidatePool(
      Metrics metrics, MetricKey key, Parallelism parallelism, int models, List<Candidates> users) {
    this.metrics = metrics;
    this.key = key;
    this.parallelism = parallelism;
    this.models = models;
    this.users = users;
  }

  /**
   * The source of pools of the same models.
   *
   * @param models the models to mix; borrowed
   * @param part the part to measure on
   * @param metrics the metrics, with the items that are ranked
   * @param key the metric: one of users
   * @param mostCandidates the most candidates in a pool, of all users: of more users a sample is
   *     taken
   */
  public record Source(
      List<? extends ScoreModel> models,
      MeasuredPart part,
      Metrics metrics,
      MetricKey key,
      long mostCandidates,
      FieldKernels kernels,
      RunContext run) {
    public Source {
      models = List.copyOf(models);
    }

    /** Describe pools of as many users as memory is reasonable for. */
    public Source(
        List<? extends ScoreModel> models,
        MeasuredPart part,
        Metrics metrics,
        MetricKey key,
        FieldKernels kernels,
        RunContext run) {
      this(models, part, metrics, key, MOST_SCORES / models.size(), kernels, run);
    }

    /**
     * Return the source of pools of some of the models and the same users.
     *
     * @param which the numbers of the models. Not modified.
     */
    public Source only(List<Integer> which) {
      List<? extends ScoreModel> some = which.stream().map(models::get).toList();
      return new Source(some, part, metrics, key, mostCandidates, kernels, run);
    }

    /**
     * Collect the best items of every model, and the positives held out. The place of an item in
     * the list of a mixture is exact unless one that is among the best of no model gets ahead.
     */
    public CandidatePool bestOfEach() {
      return new Search(this, user -> true, models.size(), true, this::choose).pool();
    }

    /**
     * Collect the best items of a mixture; positives held out only if they are among them, so that
     * nothing but the mixture's score decides what is in the pool.
     *
     * @param weights one per model. Not modified.
     */
    public CandidatePool bestOf(double[] weights) {
      return bestOf(weights, user -> true);
    }

    /**
     * Collect the best items of a mixture for some users.
     *
     * @param weights one per model. Not modified.
     * @param of whether a user is among them, by number
     */
    public CandidatePool bestOf(double[] weights, IntPredicate of) {
      return new Search(
              this,
              of,
              1,
              false,
              (user, scores, barred, chosen) -> choose(mixture(scores, weights), barred, chosen))
          .pool();
    }

    /**
     * Collect an even sample of all items, by their number alone and another one for every user,
     * and the positives held out.
     */
    public CandidatePool sample() {
      int step = Math.max(1, part.positives().items() / depth());
      return new Search(
              this,
              user -> true,
              1,
              true,
              (user, scores, barred, chosen) -> {
                for (int item = user % step; item < chosen.length; item += step) {
                  chosen[item] = !barred[item];
                }
              })
          .pool();
    }

    /** Return how many items of a list are candidates. */
    private int depth() {
      return (int) Math.min(part.positives().items(), 2L * key.cutoff());
    }

    private void choose(int user, float[][] scores, boolean[] barred, boolean[] chosen) {
      for (float[] own : scores) {
        choose(own, barred, chosen);
      }
    }

    /** Mark the best items that are not barred. */
    private void choose(float[] scores, boolean[] barred, boolean[] chosen) {
      float least = least(scores, barred);
      int left = depth();
      for (int item = 0; item < scores.length; item++) {
        if (!barred[item] && scores[item] > least) {
          chosen[item] = true;
          left--;
        }
      }
      // Of equal scores the first, as in lists: sparse models score many items alike.
      for (int item = 0; item < scores.length && left > 0; item++) {
        if (!barred[item] && scores[item] == least) {
          chosen[item] = true;
          left--;
        }
      }
    }

    /** Return the score at the depth of the list. */
    private float least(float[] scores, boolean[] barred) {
      int depth = depth();
      // A heap: no element is larger than the two elements below it.
      float[] best = new float[depth];
      Arrays.fill(best, Float.NEGATIVE_INFINITY);
      for (int item = 0; item < scores.length; item++) {
        if (scores[item] > best[0] && !barred[item]) {
          int hole = 0;
          for (int below = 1; below < depth; below = 2 * hole + 1) {
            int lower = below + 1 < depth && best[below + 1] < best[below] ? below + 1 : below;
            if (scores[item] <= best[lower]) {
              break;
            }
            best[hole] = best[lower];
            hole = lower;
          }
          best[hole] = scores[item];
        }
      }
      return best[0];
    }
  }

  /** A choice of candidates. */
  @FunctionalInterface
  private interface Choice {
    /**
     * Mark the candidates of a user.
     *
     * @param scores the scores of all items, by model. Not modified.
     * @param barred the items that are not ranked. Not modified.
     * @param chosen receives the candidates. Modified.
     */
    void choose(int user, float[][] scores, boolean[] barred, boolean[] chosen);
  }

  /** Return the number of models. */
  public int models() {
    return models;
  }

  /** Return the number of positives held out that are candidates. */
  public long positives() {
    return users.stream().mapToLong(of -> of.places.length).sum();
  }

  /**
   * Return the part of the pool that belongs to some models and users, which shares its scores.
   *
   * @param which the numbers of the models. Not modified.
   * @param of whether a user stays, by number
   */
  public CandidatePool part(List<Integer> which, IntPredicate of) {
    return new CandidatePool(
        metrics,
        key,
        parallelism,
        which.size(),
        users.stream()
            .filter(user -> of.test(user.user))
            .map(
                user ->
                    new Candidates(
                        user.user,
                        user.positives,
                        user.places,
                        which.stream().map(k -> user.scores[k]).toArray(float[][]::new)))
            .toList());
  }

  /**
   * Measure the mixture {@code sum_k w_k f_k}.
   *
   * @param weights one per model. Not modified.
   */
  public double measure(double[] weights) {
    return Arrays.stream(values(weights)).average().orElseThrow();
  }

  /**
   * Measure the mixture {@code sum_k w_k f_k} for each user of the pool, in ascending order.
   *
   * @param weights one per model. Not modified.
   */
  public double[] values(double[] weights) {
    return values(weights, key);
  }

  /**
   * Measure the mixture {@code sum_k w_k f_k} for each user of the pool, in ascending order.
   *
   * @param weights one per model. Not modified.
   * @param other another metric of users, at the same cutoff
   */
  public double[] values(double[] weights, MetricKey other) {
    int[][] hits = new int[users.size()][];
    parallelism.forEach(
        (users.size() + TASK_USERS - 1) / TASK_USERS,
        (task, worker) -> {
          int end = Math.min(users.size(), (task + 1) * TASK_USERS);
          for (int k = task * TASK_USERS; k < end; k++) {
            hits[k] = hits(users.get(k), weights);
          }
        });
    UserHits all = new UserHits(users.size());
    for (int k = 0; k < hits.length; k++) {
      all.user(users.get(k).user, users.get(k).positives);
      for (int place : hits[k]) {
        all.hit(place);
      }
    }
    return metrics.values(other, all);
  }

  /**
   * Return the likelihood of the positives held out under the mixture {@code sum_k w_k f_k}.
   *
   * @param weights one per model. Not modified.
   */
  public ListLikelihood likelihood(double[] weights) {
    ListLikelihood[] parts = new ListLikelihood[(users.size() + TASK_USERS - 1) / TASK_USERS];
    parallelism.forEach(
        parts.length,
        (task, worker) -> {
          ListLikelihood part = new ListLikelihood(models);
          int end = Math.min(users.size(), (task + 1) * TASK_USERS);
          for (Candidates of : users.subList(task * TASK_USERS, end)) {
            part.add(of.scores, of.places, weights);
          }
          parts[task] = part;
        });
    ListLikelihood all = new ListLikelihood(models);
    for (ListLikelihood part : parts) {
      all.add(part);
    }
    return all;
  }

  /** Return the places of a user's positives that are within the cutoff, ascending. */
  private int[] hits(Candidates of, double[] weights) {
    float[] mixture = mixture(of.scores, weights);
    return Arrays.stream(of.places)
        .map(place -> rank(mixture, place))
        .filter(rank -> rank <= key.cutoff())
        .sorted()
        .toArray();
  }

  /** Return the weighted sum of scores. */
  private static float[] mixture(float[][] scores, double[] weights) {
    float[] mixture = new float[scores[0].length];
    for (int k = 0; k < scores.length; k++) {
      float weight = (float) weights[k];
      if (weight != 0) {
        for (int j = 0; j < mixture.length; j++) {
          mixture[j] += weight * scores[k][j];
        }
      }
    }
    return mixture;
  }

  /** Return the place of an item, of equal scores the first; items ascend. */
  private static int rank(float[] scores, int item) {
    float own = scores[item];
    int rank = 1;
    for (int other = 0; other < item; other++) {
      rank += scores[other] >= own ? 1 : 0;
    }
    for (int other = item + 1; other < scores.length; other++) {
      rank += scores[other] > own ? 1 : 0;
    }
    return rank;
  }

  /** The search for candidates. */
  private static final class Search {
    private final Source source;
    private final SparseCells heldOut;
    private final List<SparseCells> excluded;
    private final Optional<PartMask> cells;
    private final IntPredicate users;
    private final int lists;
    private final boolean allPositives;
    private final Choice choice;

    /**
     * Prepare a search.
     *
     * @param users whether a user is wanted, by number
     * @param lists the number of lists whose best items are chosen
     * @param allPositives whether all positives held out are candidates
     */
    Search(Source source, IntPredicate users, int lists, boolean allPositives, Choice choice) {
      this.source = source;
      this.users = users;
      this.heldOut = source.part.positives();
      this.excluded = source.metrics.request().candidates().excluded(source.part);
      this.cells = source.metrics.request().candidates().cells(source.part);
      this.lists = lists;
      this.allPositives = allPositives;
      this.choice = choice;
    }

    CandidatePool pool() {
      int models = source.models.size();
      int[] counted =
          IntStream.range(0, heldOut.users()).filter(u -> heldOut.userCount(u) > 0).toArray();
      long candidates = (long) counted.length * source.depth() * lists;
      int step = Math.toIntExact(candidates / Math.max(1, source.mostCandidates) + 1);
      int[] sample =
          IntStream.range(0, counted.length)
              .filter(k -> k % step == 0)
              .map(k -> counted[k])
              .filter(users)
              .toArray();
      int most =
          Math.max(1, Math.min(MOST_ROWS, TILE_FLOATS / Math.max(1, heldOut.items() * models)));
      List<Candidates> found = new ArrayList<>();
      for (int next = 0; next < sample.length; ) {
        int end = next + 1;
        while (end < sample.length
            && sample[end] - sample[next] < most
            && sample[end] - sample[end - 1] <= MOST_GAP) {
          end++;
        }
        found.addAll(candidates(Arrays.copyOfRange(sample, next, end)));
        next = end;
      }
      return new CandidatePool(source.metrics, source.key, source.run.parallelism(), models, found);
    }

    /** Return the candidates of users who are close together. */
    private List<Candidates> candidates(int[] of) {
      int first = of[0];
      int rows = of[of.length - 1] - first + 1;
      List<FloatMatrix> tiles = new ArrayList<>();
      try {
        for (ScoreModel model : source.models) {
          FloatMatrix tile = FloatMatrix.allocate(source.run.allocator(), rows, heldOut.items());
          tiles.add(tile);
          source.kernels.fill(CellField.score(model), first, 0, tile);
        }
        Candidates[] found = new Candidates[of.length];
        source
            .run
            .parallelism()
            .forEach(
                of.length,
                (index, worker) -> found[index] = candidates(of[index], of[index] - first, tiles));
        return List.of(found);
      } finally {
        tiles.forEach(FloatMatrix::close);
      }
    }

    private Candidates candidates(int user, int row, List<FloatMatrix> tiles) {
      int items = heldOut.items();
      boolean[] barred = barred(user);
      boolean[] chosen = new boolean[items];
      float[][] all = new float[tiles.size()][items];
      for (int k = 0; k < all.length; k++) {
        tiles.get(k).readRow(row, all[k]);
      }
      choice.choose(user, all, barred, chosen);
      boolean[] positive = new boolean[items];
      for (int p = heldOut.userStart(user); p < heldOut.userStart(user + 1); p++) {
        int item = heldOut.itemAt(p);
        positive[item] = !barred[item];
        chosen[item] |= allPositives && positive[item];
      }
      int[] pool = IntStream.range(0, items).filter(item -> chosen[item]).toArray();
      float[][] scores = new float[all.length][pool.length];
      for (int k = 0; k < all.length; k++) {
        for (int j = 0; j < pool.length; j++) {
          scores[k][j] = all[k][pool[j]];
        }
      }
      int[] places = IntStream.range(0, pool.length).filter(j -> positive[pool[j]]).toArray();
      return new Candidates(user, heldOut.userCount(user), places, scores);
    }

    /** Return which items are not ranked for a user. */
    private boolean[] barred(int user) {
      boolean[] barred = new boolean[heldOut.items()];
      if (cells.isPresent()) {
        for (int item = 0; item < barred.length; item++) {
          barred[item] = !cells.get().contains(user, item);
        }
      }
      for (SparseCells known : excluded) {
        for (int p = known.userStart(user); p < known.userStart(user + 1); p++) {
          barred[known.itemAt(p)] = true;
        }
      }
      return barred;
    }
  }
}
