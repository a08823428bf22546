package org.pecf.backend.pairwise;

import java.util.SplittableRandom;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/**
 * The items that negatives are drawn from, divided into blocks: all items alike, or in proportion
 * to their popularity by the alias method, one look per draw either way.
 */
public final class NegativeItems {
  private static final double FRACTION = 1.0 / (1 << 24);

  private final int blocks;
  private final int[] starts;
  private final int[] order;
  private final int[] blockOf;
  private final boolean[] empty;
  private final boolean weighted;

  /** The tables of the alias method, one place per item; empty if all items are drawn alike. */
  private final double[] popularity;

  private final float[] keep;
  private final int[] alias;
  private final int[] pending;

  /**
   * Put the items into blocks in their own order.
   *
   * @param exponent 0 draws all items alike, and takes no tables
   */
  NegativeItems(SparseCells positives, double exponent, int blocks) {
    int items = positives.items();
    this.blocks = blocks;
    starts = new int[blocks + 1];
    for (int block = 0; block <= blocks; block++) {
      starts[block] = (int) ((long) block * items / blocks);
    }
    order = new int[items];
    blockOf = new int[items];
    empty = new boolean[blocks];
    weighted = exponent > 0;
    int places = weighted ? items : 0;
    popularity = new double[places];
    keep = new float[places];
    alias = new int[places];
    pending = new int[places];
    for (int item = 0; item < items; item++) {
      order[item] = item;
      if (weighted) {
        popularity[item] = StrictMath.pow(positives.itemCount(item), exponent);
      }
    }
    divide();
  }

  /** Return the bytes that the blocks take. */
  static long bytes(int items, double exponent) {
    return items * (2L * Integer.BYTES + (exponent > 0 ? Double.BYTES + 3L * Integer.BYTES : 0));
  }

  /** Put the items into blocks at random; the result depends on the seed alone. */
  void shuffle(Seed seed) {
    for (int place = 0; place < order.length; place++) {
      order[place] = place;
    }
    SplittableRandom random = seed.random();
    for (int last = order.length - 1; last > 0; last--) {
      int other = random.nextInt(last + 1);
      int item = order[last];
      order[last] = order[other];
      order[other] = item;
    }
    divide();
  }

  private void divide() {
    for (int block = 0; block < blocks; block++) {
      for (int place = start(block); place < start(block + 1); place++) {
        blockOf[order[place]] = block;
      }
      empty[block] = weighted ? !weigh(block) : start(block) == start(block + 1);
    }
  }

  private int start(int block) {
    return starts[block];
  }

  /** Set up the alias tables of a block; return whether there is anything to draw. */
  private boolean weigh(int block) {
    int from = start(block);
    int to = start(block + 1);
    double total = 0;
    int likeliest = from;
    for (int place = from; place < to; place++) {
      total += popularity[order[place]];
      likeliest = popularity[order[place]] > popularity[order[likeliest]] ? place : likeliest;
    }
    if (!(total > 0)) {
      return false;
    }
    // Places below the mean wait at the front, the others at the back.
    double scale = (to - from) / total;
    int small = from;
    int large = to;
    double[] height = new double[to - from];
    for (int place = from; place < to; place++) {
      height[place - from] = popularity[order[place]] * scale;
      if (height[place - from] < 1) {
        pending[small++] = place;
      } else {
        pending[--large] = place;
      }
    }
    while (small > from && large < to) {
      int less = pending[--small];
      int more = pending[large];
      keep[less] = (float) height[less - from];
      alias[less] = more;
      height[more - from] -= 1 - height[less - from];
      if (height[more - from] < 1) {
        large++;
        pending[small++] = more;
      }
    }
    while (large < to) {
      keep[pending[large++]] = 1;
    }
    // What rounding leaves over is 1 but for it, unless it is 0.
    while (small > from) {
      int place = pending[--small];
      keep[place] = popularity[order[place]] > 0 ? 1 : 0;
      alias[place] = likeliest;
    }
    return true;
  }

  /** Return the number of blocks. */
  public int blocks() {
    return blocks;
  }

  /** Return whether items are drawn by popularity. */
  public boolean weighted() {
    return weighted;
  }

  /**
   * Return the items, block after block: block b of B has places {@code b n / B} to {@code (b + 1)
   * n / B}. Not modified.
   */
  public int[] order() {
    return order;
  }

  /** Return the chance that a place keeps a draw, if items are weighted. Not modified. */
  public float[] keep() {
    return keep;
  }

  /** Return the place that takes a draw over, if items are weighted. Not modified. */
  public int[] alias() {
    return alias;
  }

  /** Return the block of an item. */
  public int blockOf(int item) {
    return blockOf[item];
  }

  /** Return whether nothing can be drawn from a block. */
  public boolean empty(int block) {
    return empty[block];
  }

  /** Draw an item of a block by 64 random bits. */
  public int draw(int block, long bits) {
    int from = start(block);
    int place = from + (int) ((bits >>> 32) * (start(block + 1) - from) >>> 32);
    if (weighted && (bits & 0xffffff) * FRACTION >= keep[place]) {
      place = alias[place];
    }
    return order[place];
  }
}
