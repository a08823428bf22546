package org.pecf.engine.recommend;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.recommend.foldin.RowProducts;

/**
 * A ranker in plain Java, which needs no backend. It adds in the order of the definition of a
 * score, so its scores have the same bits as {@link Ensemble#prediction()}. Scores are computed of
 * the items alone that may enter a list, by what {@link CompactItems} tell of all.
 */
final class HostRanker implements Ranker {
  /** The number of items that are scored at a time. */
  private static final int BATCH = 64;

  /** One in so many items is too many to be read one by one. */
  private static final int MANY = 8;

  /** The part of the heap that the compact items may take. */
  private static final int HEAP_SHARE = 4;

  private final List<ScoreModel> models;
  private final float[] weights;
  private final int items;
  private final int longest;
  private final boolean fits;
  private final Optional<Parallelism> parallelism;

  private boolean asked;

  /** Made for the second list: the first takes less without. */
  private @Nullable CompactItems compact;

  /**
   * Create a ranker.
   *
   * @param ensemble the members; borrowed
   * @param parallelism the threads for several users; if empty, the calling thread does all
   */
  HostRanker(Ensemble ensemble, Optional<Parallelism> parallelism) {
    this(ensemble, parallelism, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * Create a ranker.
   *
   * @param memory how many bytes the compact items may take; where they take more, all items are
   *     scored
   */
  HostRanker(Ensemble ensemble, Optional<Parallelism> parallelism, long memory) {
    this.models = ensemble.members().stream().map(member -> member.model()).toList();
    double[] exact = ensemble.weights();
    this.weights = new float[exact.length];
    for (int k = 0; k < exact.length; k++) {
      weights[k] = (float) exact[k];
    }
    this.items = ensemble.shape().items();
    this.longest =
        models.stream()
            .mapToInt(model -> model instanceof FactorModel factors ? factors.rank() : 0)
            .max()
            .orElse(0);
    this.fits = CompactItems.bytes(models, items) < memory;
    this.parallelism = parallelism;
  }

  @Override
  public List<Ranked> rank(
      int[] users, int depth, List<SparseCells> excluded, Optional<BitSet> candidates) {
    Ranked[] lists = new Ranked[users.length];
    Optional<CompactItems> compact = compact(users.length);
    IntFunction<Ranked> list =
        index -> new Listing(users[index], depth, excluded, candidates).ranked(compact);
    if (parallelism.isPresent() && users.length > 1) {
      parallelism.get().forEach(users.length, (index, worker) -> lists[index] = list.apply(index));
    } else {
      Arrays.setAll(lists, list);
    }
    return List.of(lists);
  }

  private synchronized Optional<CompactItems> compact(int lists) {
    if (compact == null && fits && (asked || lists > 1)) {
      compact = new CompactItems(models, weights, items);
    }
    asked = true;
    return Optional.ofNullable(compact);
  }

  @Override
  public void close() {
    // The models belong to the ensemble.
  }

  /** The list of a user in the making. */
  private final class Listing {
    private final int user;
    private final List<SparseCells> excluded;
    private final Optional<BitSet> candidates;
    private final int depth;
    private BestItems best;

    /** The factors of the user by each factor model, the scores of all items by other models. */
    private final float[][] ofUser = new float[models.size()][];

    private final int[] batch = new int[BATCH];
    private final float[] rows = new float[BATCH * longest];
    private final float[] row = new float[longest];
    private final float[] products = new float[BATCH];
    private final float[] scores = new float[BATCH];
    private int count;

    Listing(int user, int depth, List<SparseCells> excluded, Optional<BitSet> candidates) {
      this.user = user;
      this.excluded = excluded;
      this.candidates = candidates;
      this.depth = depth;
      this.best = new BestItems(depth);
      for (int k = 0; k < ofUser.length; k++) {
        if (models.get(k) instanceof FactorModel factors) {
          ofUser[k] = new float[factors.rank()];
          factors.users().readRow(user, ofUser[k]);
        } else {
          ofUser[k] = new float[items];
          models.get(k).scoreRow(user, ofUser[k]);
        }
      }
    }

    Ranked ranked(Optional<CompactItems> compact) {
      if (compact.isPresent() && depth <= items / MANY) {
        offerReaching(compact.get());
      } else {
        offerAll();
      }
      return best.ranked(user);
    }

    private void offerAll() {
      for (int first = 0; first < items; first += BATCH) {
        count = Math.min(BATCH, items - first);
        for (int p = 0; p < count; p++) {
          batch[p] = first + p;
        }
        score(true);
        for (int p = 0; p < count; p++) {
          if (scores[p] >= best.threshold() && isAllowed(batch[p])) {
            best.offer(batch[p], scores[p]);
          }
        }
      }
    }

    /** Offer the items that may enter the list, until no other does, or all if these are many. */
    private void offerReaching(CompactItems compact) {
      long[] keys = compact.candidates(ofUser, depth, this::isAllowed);
      for (int k = 0; k < keys.length && BestItems.score(keys[k]) >= best.threshold(); k++) {
        batch[count++] = (int) keys[k];
        if (count == BATCH) {
          offerBatch();
        }
        if (k > items / MANY) {
          best = new BestItems(depth);
          offerAll();
          return;
        }
      }
      offerBatch();
    }

    private void offerBatch() {
      score(false);
      for (int p = 0; p < count; p++) {
        best.offer(batch[p], scores[p]);
      }
      count = 0;
    }

    private boolean isAllowed(int item) {
      if (candidates.isPresent() && !candidates.get().get(item)) {
        return false;
      }
      for (SparseCells cells : excluded) {
        if (cells.contains(user, item)) {
          return false;
        }
      }
      return true;
    }

    /** Score the items of the batch, whether they are consecutive or not. */
    private void score(boolean consecutive) {
      Arrays.fill(scores, 0);
      for (int k = 0; k < ofUser.length; k++) {
        if (models.get(k) instanceof FactorModel factors) {
          if (consecutive) {
            factors.items().readRows(batch[0], count, rows);
          } else {
            gather(factors.items());
          }
          RowProducts.compute(ofUser[k], rows, count, products, 0);
        } else {
          for (int p = 0; p < count; p++) {
            products[p] = ofUser[k][batch[p]];
          }
        }
        for (int p = 0; p < count; p++) {
          scores[p] += weights[k] * products[p];
        }
      }
    }

    private void gather(FloatMatrix matrix) {
      int rank = matrix.columns();
      for (int p = 0; p < count; p++) {
        matrix.readRow(batch[p], row);
        System.arraycopy(row, 0, rows, p * rank, rank);
      }
    }
  }
}
