package org.pecf.engine.recommend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.recommend.foldin.RowProducts;

/**
 * A ranker in plain Java, which needs no backend. It adds in the order of the definition of a
 * score, so its scores have the same bits as {@link Ensemble#prediction()}.
 */
final class HostRanker implements Ranker {
  /** The number of items that are scored at a time. */
  private static final int BLOCK = 512;

  /** The part of the heap that copies of item factors may take. */
  private static final int HEAP_SHARE = 4;

  private final List<ScoreModel> models;

  /**
   * The item factors of each factor model, block by block, those of a block factor by factor: so
   * the items of a block are scored side by side, each sum still taken in order. Blocks are copied
   * when they are first asked for; there are none of models that are too large for the heap.
   */
  private final List<AtomicReferenceArray<float[]>> blocks = new ArrayList<>();

  private final float[] weights;
  private final int items;
  private final Optional<Parallelism> parallelism;

  /**
   * Create a ranker.
   *
   * @param ensemble the members; borrowed
   * @param parallelism the threads for several users; if empty, the calling thread does all
   */
  HostRanker(Ensemble ensemble, Optional<Parallelism> parallelism) {
    this.models = ensemble.members().stream().map(member -> member.model()).toList();
    double[] exact = ensemble.weights();
    this.weights = new float[exact.length];
    for (int k = 0; k < exact.length; k++) {
      weights[k] = (float) exact[k];
    }
    this.items = ensemble.shape().items();
    this.parallelism = parallelism;
    long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    for (ScoreModel model : models) {
      long bytes =
          model instanceof FactorModel factors ? (long) items * factors.rank() * Float.BYTES : left;
      boolean fits = bytes < left;
      left -= fits ? bytes : 0;
      blocks.add(new AtomicReferenceArray<>(fits ? (items + BLOCK - 1) / BLOCK : 0));
    }
  }

  @Override
  public List<Ranked> rank(
      int[] users, int depth, List<SparseCells> excluded, Optional<BitSet> candidates) {
    Ranked[] lists = new Ranked[users.length];
    if (parallelism.isPresent() && users.length > 1) {
      parallelism
          .get()
          .forEach(
              users.length,
              (index, worker) -> lists[index] = rank(users[index], depth, excluded, candidates));
    } else {
      Arrays.setAll(lists, index -> rank(users[index], depth, excluded, candidates));
    }
    return List.of(lists);
  }

  private Ranked rank(
      int user, int depth, List<SparseCells> excluded, Optional<BitSet> candidates) {
    BestItems best = new BestItems(depth);
    Scores scores = new Scores(user);
    for (int first = 0; first < items; first += BLOCK) {
      int count = Math.min(BLOCK, items - first);
      scores.compute(first, count);
      for (SparseCells cells : excluded) {
        int end = cells.userStart(user + 1);
        for (int p = cells.lowerBound(user, first);
            p < end && cells.itemAt(p) < first + count;
            p++) {
          scores.values[cells.itemAt(p) - first] = Float.NaN;
        }
      }
      for (int k = 0; k < count; k++) {
        if (candidates.isEmpty() || candidates.get().get(first + k)) {
          best.offer(first + k, scores.values[k]);
        }
      }
    }
    return best.ranked(user);
  }

  @Override
  public void close() {
    // The models belong to the ensemble.
  }

  /** The scores of a user, one block of items at a time. */
  private final class Scores {
    /** The factors of the user by each factor model, the scores of all items by other models. */
    private final float[][] ofUser = new float[models.size()][];

    private final float[] values = new float[BLOCK];
    private final float[] itemFactors;
    private final float[] products = new float[BLOCK];

    Scores(int user) {
      int rank = 0;
      for (int k = 0; k < models.size(); k++) {
        if (models.get(k) instanceof FactorModel factors) {
          ofUser[k] = new float[factors.rank()];
          factors.users().readRow(user, ofUser[k]);
          rank = Math.max(rank, factors.rank());
        } else {
          ofUser[k] = new float[items];
          models.get(k).scoreRow(user, ofUser[k]);
        }
      }
      this.itemFactors = new float[BLOCK * rank];
    }

    void compute(int first, int count) {
      Arrays.fill(values, 0);
      for (int k = 0; k < models.size(); k++) {
        if (models.get(k) instanceof FactorModel factors) {
          addProducts(k, factors.items(), first, count);
        } else {
          for (int p = 0; p < count; p++) {
            values[p] += weights[k] * ofUser[k][first + p];
          }
        }
      }
    }

    private void addProducts(int model, FloatMatrix ofItems, int first, int count) {
      if (blocks.get(model).length() > 0) {
        ColumnProducts.compute(ofUser[model], block(model, ofItems, first, count), count, products);
      } else {
        ofItems.readRows(first, count, itemFactors);
        RowProducts.compute(ofUser[model], itemFactors, count, products, 0);
      }
      float weight = weights[model];
      for (int p = 0; p < count; p++) {
        values[p] += weight * products[p];
      }
    }

    private float[] block(int model, FloatMatrix ofItems, int first, int count) {
      float[] known = blocks.get(model).get(first / BLOCK);
      if (known != null) {
        return known;
      }
      ofItems.readRows(first, count, itemFactors);
      float[] columns = ColumnProducts.transposed(itemFactors, count, ofItems.columns());
      // Another thread may make the same block at the same time.
      blocks.get(model).set(first / BLOCK, columns);
      return columns;
    }
  }
}
