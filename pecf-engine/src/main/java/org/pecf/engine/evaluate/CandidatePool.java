package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.data.split.MeasuredPart;

/**
 * The items that may be high in the list of a mixture of models, for each user of a part: the best
 * items of every model, and the positives held out. Mixtures are measured on them thousands of
 * times without ranking all items.
 *
 * <p>A place in a list is exact unless an item that is among the best of no model gets ahead. Of
 * many users an even sample is taken, by their number alone.
 */
public final class CandidatePool {
  /** The most scores that are kept. */
  private static final long MOST_SCORES = 100L << 20;

  private static final int TILE_FLOATS = 1 << 24;
  private static final int MOST_ROWS = 256;

  /** The number of users that a thread measures at a time. */
  private static final int TASK_USERS = 64;

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
      MetricKey key, Parallelism parallelism, int models, List<Candidates> users) {
    this.key = key;
    this.parallelism = parallelism;
    this.models = models;
    this.users = users;
  }

  /**
   * Find the candidates.
   *
   * @param models the models to mix; borrowed, not used later
   * @param part the part to measure on
   * @param policy the items that are ranked
   * @param key the metric: one of users
   */
  public static CandidatePool of(
      List<? extends ScoreModel> models,
      MeasuredPart part,
      CandidatePolicy policy,
      MetricKey key,
      FieldKernels kernels,
      RunContext run) {
    return new Search(models, part, policy, key, run).pool(kernels);
  }

  /** Return the number of models. */
  public int models() {
    return models;
  }

  /**
   * Measure the mixture {@code sum_k w_k f_k}.
   *
   * @param weights one per model. Not modified.
   */
  public double measure(double[] weights) {
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
    return Arrays.stream(all.values(key)).average().orElseThrow();
  }

  /** Return the places of a user's positives that are within the cutoff, ascending. */
  private int[] hits(Candidates of, double[] weights) {
    float[] mixture = new float[of.scores[0].length];
    for (int k = 0; k < models; k++) {
      float weight = (float) weights[k];
      if (weight != 0) {
        float[] scores = of.scores[k];
        for (int j = 0; j < mixture.length; j++) {
          mixture[j] += weight * scores[j];
        }
      }
    }
    return Arrays.stream(of.places)
        .map(place -> rank(mixture, place))
        .filter(rank -> rank <= key.cutoff())
        .sorted()
        .toArray();
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
    private final List<? extends ScoreModel> models;
    private final SparseCells heldOut;
    private final List<SparseCells> excluded;
    private final Optional<PartMask> cells;
    private final MetricKey key;
    private final RunContext run;
    private final int depth;

    Search(
        List<? extends ScoreModel> models,
        MeasuredPart part,
        CandidatePolicy policy,
        MetricKey key,
        RunContext run) {
      this.models = models;
      this.heldOut = part.positives();
      this.excluded = policy.excluded(part);
      this.cells = policy.cells(part);
      this.key = key;
      this.run = run;
      this.depth = Math.min(heldOut.items(), 2 * key.cutoff());
    }

    CandidatePool pool(FieldKernels kernels) {
      int[] counted =
          IntStream.range(0, heldOut.users()).filter(u -> heldOut.userCount(u) > 0).toArray();
      long scores = (long) counted.length * depth * models.size() * models.size();
      int step = Math.toIntExact(scores / MOST_SCORES + 1);
      int[] sample =
          IntStream.range(0, counted.length)
              .filter(k -> k % step == 0)
              .map(k -> counted[k])
              .toArray();
      int most =
          Math.max(
              1, Math.min(MOST_ROWS, TILE_FLOATS / Math.max(1, heldOut.items() * models.size())));
      List<Candidates> found = new ArrayList<>();
      for (int next = 0; next < sample.length; ) {
        int end = next + 1;
        while (end < sample.length && sample[end] - sample[next] < most) {
          end++;
        }
        found.addAll(candidates(Arrays.copyOfRange(sample, next, end), kernels));
        next = end;
      }
      return new CandidatePool(key, run.parallelism(), models.size(), found);
    }

    /** Return the candidates of users who are close together. */
    private List<Candidates> candidates(int[] of, FieldKernels kernels) {
      int first = of[0];
      int rows = of[of.length - 1] - first + 1;
      List<FloatMatrix> tiles = new ArrayList<>();
      try {
        for (ScoreModel model : models) {
          FloatMatrix tile = FloatMatrix.allocate(run.allocator(), rows, heldOut.items());
          tiles.add(tile);
          kernels.fill(CellField.score(model), first, 0, tile);
        }
        Candidates[] found = new Candidates[of.length];
        run.parallelism()
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
        choose(all[k], barred, chosen);
      }
      boolean[] positive = new boolean[items];
      for (int p = heldOut.userStart(user); p < heldOut.userStart(user + 1); p++) {
        int item = heldOut.itemAt(p);
        positive[item] = !barred[item];
        chosen[item] |= positive[item];
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

    /** Return the score at the depth of the list. */
    private float least(float[] scores, boolean[] barred) {
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

    /** Mark the best items that are not barred. */
    private void choose(float[] scores, boolean[] barred, boolean[] chosen) {
      float least = least(scores, barred);
      int left = depth;
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
  }
}
