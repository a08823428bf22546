package org.pecf.engine.recommend;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.ScoreModel;

/**
 * The item factors of an ensemble in eight bits each, which tell the few items whose exact scores
 * are worth computing from all others. Items are in blocks by falling norms, the factors of all
 * members side by side.
 *
 * <p>In a block, factor {@code j} of an item is {@code largest_j (q_j + e_j) / 127} with a whole
 * number {@code q_j} and {@code |e_j| <= 1/2}. A user's score of the item is therefore a sum of
 * whole numbers times a unit, {@code sum_j m_j q_j}, but for a margin that is known for the block.
 */
final class CompactItems {
  /** The number of items in a block: its sums and a column stay in the first level of cache. */
  private static final int BLOCK = 1024;

  /** The largest magnitude of a number. */
  private static final int LARGEST = 127;

  /** Sums are below this and half a number for each factor. */
  private static final double RANGE = 1 << 30;

  /** Where scores may come near this, floats may overflow, and nothing is told of them. */
  private static final double OVERFLOW = 1e30;

  private final List<ScoreModel> models;
  private final float[] weights;
  private final Block[] blocks;
  private final int factors;
  private final int longest;

  /**
   * Some items.
   *
   * @param items their indexes
   * @param columns the numbers of four factors of each item, by group of factors
   * @param largest the largest magnitude of each factor
   * @param norms the largest norm of an item's factors, by model
   * @param error the largest norm of an item's {@code e}
   */
  private record Block(
      int[] items, int[][] columns, float[] largest, double[] norms, double error) {}

  /**
   * Make a compact copy.
   *
   * @param models the members; borrowed
   * @param weights their weights. Not modified.
   * @param items the number of items
   */
  CompactItems(List<ScoreModel> models, float[] weights, int items) {
    this.models = models;
    this.weights = weights;
    this.factors = models.stream().mapToInt(CompactItems::padded).sum();
    this.longest = models.stream().mapToInt(CompactItems::padded).max().orElse(0);
    double[][] norms = new double[models.size()][];
    for (int k = 0; k < norms.length; k++) {
      norms[k] = norms(models.get(k), items);
    }
    int[] order = byFallingNorm(norms, items);
    this.blocks = new Block[(items + BLOCK - 1) / BLOCK];
    Arrays.setAll(
        blocks,
        b -> block(Arrays.copyOfRange(order, b * BLOCK, Math.min(items, (b + 1) * BLOCK)), norms));
  }

  /** Return how many bytes a copy takes. */
  static long bytes(List<ScoreModel> models, int items) {
    return models.stream().mapToLong(CompactItems::padded).sum() * items;
  }

  /** Return the number of factors, rounded up to whole groups; 0 for a model without factors. */
  private static int padded(ScoreModel model) {
    return model instanceof FactorModel of ? (of.rank() + 3) / 4 * 4 : 0;
  }

  private static double[] norms(ScoreModel model, int items) {
    double[] norms = new double[items];
    if (model instanceof FactorModel of) {
      float[] rows = new float[BLOCK * of.rank()];
      for (int first = 0; first < items; first += BLOCK) {
        int count = Math.min(BLOCK, items - first);
        of.items().readRows(first, count, rows);
        for (int p = 0; p < count; p++) {
          norms[first + p] = norm(rows, p * of.rank(), of.rank());
        }
      }
    }
    return norms;
  }

  private static double norm(float[] factors, int from, int count) {
    double squares = 0;
    for (int j = from; j < from + count; j++) {
      squares += (double) factors[j] * factors[j];
    }
    return Math.sqrt(squares);
  }

  private int[] byFallingNorm(double[][] norms, int items) {
    long[] keys = new long[items];
    for (int item = 0; item < items; item++) {
      double norm = 0;
      for (int k = 0; k < norms.length; k++) {
        norm += Math.abs(weights[k]) * norms[k][item];
      }
      keys[item] = ((long) ~Float.floatToIntBits((float) norm) << Integer.SIZE) | item;
    }
    Arrays.sort(keys);
    return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
  }

  private Block block(int[] items, double[][] norms) {
    int[][] columns = new int[factors / 4][items.length];
    float[] largest = new float[factors];
    double[] largestNorms = new double[norms.length];
    double[] squares = new double[items.length];
    float[] rows = new float[items.length * longest];
    int from = 0;
    for (int k = 0; k < norms.length; k++) {
      for (int item : items) {
        largestNorms[k] = Math.max(largestNorms[k], norms[k][item]);
      }
      if (models.get(k) instanceof FactorModel of) {
        read(of.items(), items, padded(of), rows);
        compact(rows, padded(of), from, largest, columns, squares);
        from += padded(of);
      }
    }
    double error = Math.sqrt(Arrays.stream(squares).max().orElse(0));
    return new Block(items, columns, largest, largestNorms, error);
  }

  private static void read(FloatMatrix matrix, int[] items, int stride, float[] rows) {
    float[] row = new float[matrix.columns()];
    for (int p = 0; p < items.length; p++) {
      matrix.readRow(items[p], row);
      System.arraycopy(row, 0, rows, p * stride, row.length);
      Arrays.fill(rows, p * stride + row.length, (p + 1) * stride, 0);
    }
  }

  /**
   * Turn rows into numbers in the columns that begin with a factor.
   *
   * @param squares the sum of squares of each item's e, to which is added. Modified.
   */
  private static void compact(
      float[] rows, int length, int from, float[] largest, int[][] columns, double[] squares) {
    int count = columns[from / 4].length;
    for (int p = 0; p < count; p++) {
      for (int j = 0; j < length; j++) {
        largest[from + j] = Math.max(largest[from + j], Math.abs(rows[p * length + j]));
      }
    }
    double[] scales = new double[length];
    for (int j = 0; j < length; j++) {
      // Factors that are not finite have no number, nor has the block a bound for their scores.
      scales[j] = largest[from + j] > 0 ? LARGEST / (double) largest[from + j] : 0;
    }
    for (int p = 0; p < count; p++) {
      for (int j = 0; j < length; j++) {
        double exact = rows[p * length + j] * scales[j];
        int number = (int) Math.rint(exact);
        squares[p] += (exact - number) * (exact - number);
        columns[(from + j) / 4][p] |= (number & 0xFF) << (8 * (j % 4));
      }
    }
  }

  /**
   * Find the items that may be among the best of a user.
   *
   * @param ofUser the factors of the user by each factor model, the scores of all items by others.
   *     Not modified.
   * @param depth how many are looked for
   * @param allowed tells which items may be found
   * @return {@linkplain BestItems#key keys} of items and the most that their scores can be,
   *     ascending
   */
  long[] candidates(float[][] ofUser, int depth, IntPredicate allowed) {
    Scan scan = new Scan(ofUser);
    // As many items score at least as much as the last of these.
    BestItems surest = new BestItems(depth);
    long[] keys = new long[256];
    int count = 0;
    for (Block block : blocks) {
      if (!scan.enter(block, surest.threshold())) {
        continue;
      }
      int limit = scan.limit(surest.threshold());
      int place = scan.next(0, limit);
      while (place < block.items.length) {
        int item = block.items[place];
        if (allowed.test(item)) {
          keys = count < keys.length ? keys : Arrays.copyOf(keys, 2 * count);
          keys[count++] = BestItems.key(scan.most(place), item);
          surest.offer(item, scan.least(place));
          limit = scan.limit(surest.threshold());
        }
        place = scan.next(place + 1, limit);
      }
    }
    int kept = 0;
    for (int k = 0; k < count; k++) {
      if (BestItems.score(keys[k]) >= surest.threshold()) {
        keys[kept++] = keys[k];
      }
    }
    Arrays.sort(keys, 0, kept);
    return Arrays.copyOf(keys, kept);
  }

  /** What is told of the scores of one user, one block at a time. */
  private final class Scan {
    private final float[][] ofUser;
    private final double[] norms;
    private final double[] terms = new double[factors];
    private final int[] multipliers = new int[factors];
    private final int[] sums = new int[BLOCK];
    private final double rounding;
    private final double underflow;
    private Block block = new Block(new int[0], new int[0][], new float[0], new double[0], 0);
    private double unit;
    private double margin;
    private boolean known;

    Scan(float[][] ofUser) {
      this.ofUser = ofUser;
      this.norms = new double[ofUser.length];
      for (int k = 0; k < norms.length; k++) {
        norms[k] = models.get(k) instanceof FactorModel ? norm(ofUser[k], 0, ofUser[k].length) : 0;
      }
      this.rounding = (longest + models.size() + 8) * 0x1p-23;
      double all = 1;
      for (float weight : weights) {
        all += Math.abs(weight);
      }
      this.underflow = all * Float.MIN_NORMAL;
    }

    /**
     * Go to a block.
     *
     * @param threshold the score that is looked for
     * @return whether a score of the block may reach the threshold
     */
    boolean enter(Block next, float threshold) {
      block = next;
      double size = 0;
      double reach = 0;
      double unweighted = 0;
      int from = 0;
      for (int k = 0; k < ofUser.length; k++) {
        if (models.get(k) instanceof FactorModel of) {
          double sum = 0;
          for (int j = 0; j < of.rank(); j++) {
            terms[from + j] = (double) weights[k] * ofUser[k][j] * block.largest[from + j];
            sum += Math.abs((double) ofUser[k][j] * block.largest[from + j]);
          }
          from += padded(of);
          unweighted += sum;
          size += Math.abs(weights[k]) * sum;
          reach += Math.abs(weights[k]) * Math.min(sum, norms[k] * block.norms[k]);
        } else {
          double largest = 0;
          for (int item : block.items) {
            largest = Math.max(largest, Math.abs(ofUser[k][item]));
          }
          unweighted += largest;
          size += Math.abs(weights[k]) * largest;
          reach += Math.abs(weights[k]) * largest;
        }
      }
      // This is false if a number is not finite.
      known = size < OVERFLOW && unweighted < OVERFLOW;
      if (known && reach * (1 + rounding) + underflow < threshold) {
        return false;
      }
      if (known) {
        add(size);
      }
      return true;
    }

    private void add(double size) {
      unit = Math.max(size, Float.MIN_NORMAL) / RANGE;
      double squares = 0;
      for (int j = 0; j < factors; j++) {
        squares += terms[j] * terms[j];
        multipliers[j] = (int) Math.rint(terms[j] / (LARGEST * unit));
      }
      margin =
          Math.sqrt(squares) * block.error / LARGEST
              + size * rounding
              + unit * ((double) LARGEST * factors + ofUser.length)
              + underflow;
      Arrays.fill(sums, 0);
      for (int group = 0; group < block.columns.length; group++) {
        int j = 4 * group;
        addColumn(
            multipliers[j],
            multipliers[j + 1],
            multipliers[j + 2],
            multipliers[j + 3],
            block.columns[group],
            sums);
      }
      for (int k = 0; k < ofUser.length; k++) {
        if (!(models.get(k) instanceof FactorModel)) {
          for (int p = 0; p < block.items.length; p++) {
            sums[p] += (int) Math.rint((double) weights[k] * ofUser[k][block.items[p]] / unit);
          }
        }
      }
    }

    /**
     * Return the first place of the block, from a given one, whose sum is not below a limit, or
     * their number.
     */
    int next(int place, int limit) {
      int count = block.items.length;
      int next = place;
      while (next < count && sums[next] < limit) {
        next++;
      }
      return next;
    }

    /** Return the smallest sum of an item whose score may reach a threshold. */
    int limit(float threshold) {
      // The cast turns what is below all numbers into the smallest.
      return known ? (int) Math.floor((threshold - margin) / unit) : Integer.MIN_VALUE;
    }

    /** Return the most that the score of an item may be. */
    float most(int place) {
      return known ? Math.nextUp((float) (sums[place] * unit + margin)) : Float.POSITIVE_INFINITY;
    }

    /** Return the least that the score of an item may be; NaN if it may be no number. */
    float least(int place) {
      return known ? Math.nextDown((float) (sums[place] * unit - margin)) : Float.NaN;
    }
  }

  /** Add four factors of all items: in an own method, which the virtual machine vectorises. */
  private static void addColumn(int a, int b, int c, int d, int[] column, int[] sums) {
    for (int p = 0; p < column.length; p++) {
      int numbers = column[p];
      sums[p] =
          sums[p]
              + a * ((numbers << 24) >> 24)
              + b * ((numbers << 16) >> 24)
              + c * ((numbers << 8) >> 24)
              + d * (numbers >> 24);
    }
  }
}
