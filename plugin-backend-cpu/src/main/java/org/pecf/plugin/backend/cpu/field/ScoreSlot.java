package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FactorModel;
import org.pecf.plugin.backend.cpu.algebra.DotProduct;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/** Evaluate one linear combination of factor models: {@code sum_k c_k u_i^(k) . v_j^(k)}. */
public final class ScoreSlot implements AutoCloseable {
  private final List<FactorModel> models;
  private final float[] coefficients;
  private final int rank;

  /** The item factors of all models side by side, times their coefficients; or null. */
  private NativeFloats joined;

  /** Where the combination, or its negative, is kept; or null. */
  private ScoreStore store;

  private int sign;

  private ScoreSlot(List<FactorModel> models, float[] coefficients) {
    this.models = List.copyOf(models);
    this.coefficients = coefficients;
    this.rank = models.stream().mapToInt(FactorModel::rank).sum();
  }

  /** Collect the scores among the terms of a combination, in order. */
  static ScoreSlot of(List<Linear.Term> terms) {
    List<FactorModel> models = new ArrayList<>();
    List<Float> coefficients = new ArrayList<>();
    for (Linear.Term term : terms) {
      if (term.field() instanceof Score score && score.model() instanceof FactorModel model) {
        models.add(model);
        coefficients.add(term.coefficient());
      }
    }
    float[] plain = new float[coefficients.size()];
    for (int k = 0; k < plain.length; k++) {
      plain[k] = coefficients.get(k);
    }
    return new ScoreSlot(models, plain);
  }

  /** Return the models combined. */
  public List<FactorModel> models() {
    return models;
  }

  /** Return the coefficient of a model. */
  public float coefficient(int model) {
    return coefficients[model];
  }

  /** Return the total number of factors. */
  public int rank() {
    return rank;
  }

  /** Return 1 or -1 if the other combination is this one or its negative, else 0. */
  int signTo(ScoreSlot other) {
    if (models.size() != other.models.size()) {
      return 0;
    }
    int sign = 0;
    for (int k = 0; k < coefficients.length; k++) {
      int here =
          coefficients[k] == other.coefficients[k]
              ? 1
              : coefficients[k] == -other.coefficients[k] ? -1 : 0;
      if (models.get(k) != other.models.get(k) || here == 0 || sign != 0 && here != sign) {
        return 0;
      }
      sign = here;
    }
    return sign;
  }

  /**
   * Return how many models this combination has, if the other goes on from it: if it begins with
   * the same models in the same proportions.
   *
   * @return 0 if it does not
   */
  int continuedBy(ScoreSlot other, float rounding) {
    if (models.size() > other.models.size() || coefficients[0] == 0 || other.coefficients[0] == 0) {
      return 0;
    }
    float scale = other.coefficients[0] / coefficients[0];
    for (int k = 0; k < coefficients.length; k++) {
      float expected = scale * coefficients[k];
      if (models.get(k) != other.models.get(k)
          || Math.abs(other.coefficients[k] - expected) > rounding * Math.abs(expected)) {
        return 0;
      }
    }
    return models.size();
  }

  /** Return what is left if the other combination, or its negative, is a part of this one. */
  Optional<ScoreSlot> without(ScoreSlot part, int sign) {
    if (part.models.isEmpty() || part.models.size() >= models.size()) {
      return Optional.empty();
    }
    List<FactorModel> left = new ArrayList<>(models);
    List<Float> leftCoefficients = new ArrayList<>();
    for (float coefficient : coefficients) {
      leftCoefficients.add(coefficient);
    }
    for (int k = 0; k < part.coefficients.length; k++) {
      int at = 0;
      while (at < left.size()
          && !(left.get(at) == part.models.get(k)
              && leftCoefficients.get(at) == sign * part.coefficients[k])) {
        at++;
      }
      if (at == left.size()) {
        return Optional.empty();
      }
      left.remove(at);
      leftCoefficients.remove(at);
    }
    float[] plain = new float[left.size()];
    for (int k = 0; k < plain.length; k++) {
      plain[k] = leftCoefficients.get(k);
    }
    return Optional.of(new ScoreSlot(left, plain));
  }

  /** Take scores from a store if it keeps them. */
  void recall(ScoreStore from) {
    sign = from.signOf(this);
    store = sign == 0 ? null : from;
  }

  /**
   * Join the item factors of several models, so that their scores are one product, if there is
   * memory to spare and they are not kept.
   */
  void join(BufferAllocator allocator) {
    if (models.size() < 2 || joined != null || store != null) {
      return;
    }
    int items = models.get(0).items().rows();
    long floats = (long) items * rank;
    if (floats * Float.BYTES > allocator.getHeadroom() / 4) {
      return;
    }
    joined = NativeFloats.allocate(allocator, floats);
    float[] row = new float[rank];
    int at = 0;
    for (int k = 0; k < coefficients.length; k++) {
      FactorModel model = models.get(k);
      for (int item = 0; item < items; item++) {
        model.items().readRow(item, row);
        for (int c = 0; c < model.rank(); c++) {
          row[c] *= coefficients[k];
        }
        joined.write((long) item * rank + at, row, 0, model.rank());
      }
      at += model.rank();
    }
  }

  /** Give back joined factors. */
  @Override
  public void close() {
    if (joined != null) {
      joined.close();
      joined = null;
    }
  }

  /** Join the factors of some users, if those of the items are. */
  void moveTo(Worker worker, int slot, int firstUser, int users) {
    if (joined == null) {
      return;
    }
    NativeFloats panel = panel(worker, slot, users);
    int at = 0;
    for (FactorModel model : models) {
      for (int u = 0; u < users; u++) {
        NativeFloats.copy(
            model.users().rowAddress(firstUser + u),
            panel.address((long) u * rank + at),
            model.rank());
      }
      at += model.rank();
    }
  }

  private NativeFloats panel(Worker worker, int slot, int users) {
    return worker.offHeap("field.users" + slot, (long) users * rank);
  }

  /**
   * Compute the scores of a tile of the users {@linkplain #moveTo moved to}.
   *
   * @return the tile, to be {@linkplain #read read} by row; null if scores are kept
   */
  NativeFloats fill(Worker worker, int slot, int firstUser, int users, int firstItem, int items) {
    if (store != null) {
      return null;
    }
    NativeFloats tile =
        worker.offHeap("field.tile" + slot, (long) TileEvaluator.USERS * TileEvaluator.ITEMS);
    long target = tile.address(0);
    if (joined != null) {
      worker
          .algebra()
          .multiply(
              false,
              true,
              users,
              items,
              rank,
              1,
              panel(worker, slot, users).address(0),
              rank,
              joined.address((long) firstItem * rank),
              rank,
              0,
              target,
              items);
    } else {
      add(worker, 0, 0, firstUser, users, firstItem, items, target, items);
    }
    return tile;
  }

  /**
   * Add what models score to a tile.
   *
   * @param first the first of the models that are added
   * @param scale what the tile is multiplied by before
   * @param target address of the tile's first score. Modified.
   * @param stride floats from a row of the tile to the next
   */
  void add(
      Worker worker,
      int first,
      float scale,
      int firstUser,
      int users,
      int firstItem,
      int items,
      long target,
      int stride) {
    for (int k = first; k < coefficients.length; k++) {
      FactorModel model = models.get(k);
      worker
          .algebra()
          .multiply(
              false,
              true,
              users,
              items,
              model.rank(),
              coefficients[k],
              model.users().rowAddress(firstUser),
              model.rank(),
              model.items().rowAddress(firstItem),
              model.rank(),
              k == first ? scale : 1,
              target,
              stride);
    }
  }

  /**
   * Copy the scores of one row of a tile.
   *
   * @param tile what {@link #fill} returned
   * @param row which row of the tile
   * @param scores Modified.
   */
  void read(NativeFloats tile, int firstUser, int row, int firstItem, int items, float[] scores) {
    if (tile != null) {
      tile.read((long) row * items, scores, 0, items);
      return;
    }
    store.read(firstUser + row, firstItem, items, scores);
    if (sign < 0) {
      for (int p = 0; p < items; p++) {
        scores[p] = -scores[p];
      }
    }
  }

  /**
   * Compute the scores of some items of one user.
   *
   * @param items the items. Not modified.
   * @param scores receives the scores. Modified.
   */
  void at(Worker worker, int user, int[] items, int count, float[] scores) {
    if (store != null) {
      for (int p = 0; p < count; p++) {
        scores[p] = sign * store.at(user, items[p]);
      }
      return;
    }
    Arrays.fill(scores, 0, count, 0);
    for (int k = 0; k < coefficients.length; k++) {
      FactorModel model = models.get(k);
      int width = model.rank();
      float[] left = worker.heap("slot.user", width);
      float[] right = worker.heap("slot.item", width);
      model.users().readRow(user, left);
      NativeFloats rows = NativeFloats.borrow(model.items().buffer());
      for (int p = 0; p < count; p++) {
        rows.read((long) items[p] * width, right, 0, width);
        scores[p] += coefficients[k] * DotProduct.of(left, right, width);
      }
    }
  }
}
