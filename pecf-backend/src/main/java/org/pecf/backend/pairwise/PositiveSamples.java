package org.pecf.backend.pairwise;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.backend.algebra.IntSlice;

/**
 * The positives that an epoch visits, block of users by block of users, with the samples of a block
 * divided into as many slices.
 *
 * <p>A positive of weight w is due {@code q = w n / sum(w)} times in an epoch of n samples. With Q
 * the running total of q up to and including it, and one offset t for the epoch, uniform in [0, 1),
 * it is visited {@code floor(Q + t) - floor(Q - q + t)} times: q rounded up or down, q in
 * expectation, n in total. Equal weights visit every positive once. Samples are then shuffled.
 */
public final class PositiveSamples {
  private final SparseCells positives;
  private final @Nullable ArrowBuf weights;
  private final int[] firstUsers;
  private final double[] due;
  private final double scale;
  private final long[] samples;
  private final int[] blockStarts;
  private final int[][] slices;

  /**
   * Divide users into blocks of about as many positives each.
   *
   * @param weights one float per positive, or null for equal weights
   */
  PositiveSamples(SparseCells positives, @Nullable ArrowBuf weights, int blocks) {
    this.positives = positives;
    this.weights = weights;
    firstUsers = new int[blocks + 1];
    int user = 0;
    for (int block = 0; block < blocks; block++) {
      long target = (long) positives.count() * block / blocks;
      while (user < positives.users() && positives.userStart(user) < target) {
        user++;
      }
      firstUsers[block] = user;
    }
    firstUsers[blocks] = positives.users();
    double sum = 0;
    int above = 0;
    for (int k = 0; k < positives.count(); k++) {
      float weight = weight(k);
      if (!(weight >= 0 && weight < Float.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("positive " + k + " cannot have the weight " + weight);
      }
      sum += weight;
      above += weight > 0 ? 1 : 0;
    }
    scale = above == 0 ? 0 : above / sum;
    due = new double[blocks + 1];
    blockStarts = new int[blocks + 1];
    slices = new int[blocks][blocks + 1];
    double total = 0;
    for (int block = 0; block < blocks; block++) {
      for (int k = first(block); k < first(block + 1); k++) {
        total += weight(k) * scale;
      }
      due[block + 1] = total;
      int most = (int) (Math.floor(total + 1) - Math.floor(due[block])) + 1;
      blockStarts[block + 1] = Math.addExact(blockStarts[block], most);
    }
    samples = new long[blockStarts[blocks]];
  }

  /** Return the bytes that the samples take. */
  static long bytes(SparseCells positives, int blocks) {
    return (positives.count() + 2L * blocks) * Long.BYTES + blocks * (blocks + 1L) * Integer.BYTES;
  }

  private float weight(int position) {
    return weights == null ? 1 : weights.getFloat((long) position * Float.BYTES);
  }

  /** Return the position of the first positive of a block. */
  private int first(int block) {
    return firstUsers[block] == positives.users()
        ? positives.count()
        : positives.userStart(firstUsers[block]);
  }

  /** Return the first user of a block. */
  int firstUser(int block) {
    return firstUsers[block];
  }

  /**
   * Choose a block's samples and divide them into slices by item.
   *
   * @param offset t
   * @param sliceOf the slice that samples of an item are in
   */
  void choose(int block, double offset, IntUnaryOperator sliceOf, Seed seed) {
    int[] ends = slices[block];
    Arrays.fill(ends, 0);
    visit(block, offset, (user, item, at) -> ends[sliceOf.applyAsInt(item) + 1]++);
    for (int slice = 1; slice < ends.length; slice++) {
      ends[slice] += ends[slice - 1];
    }
    int[] next = ends.clone();
    int start = blockStarts[block];
    visit(
        block,
        offset,
        (user, item, at) -> samples[start + next[sliceOf.applyAsInt(item)]++] = pack(user, item));
    SplittableRandom random = seed.random();
    for (int slice = 0; slice + 1 < ends.length; slice++) {
      shuffle(start + ends[slice], start + ends[slice + 1], random);
    }
  }

  /** A receiver of samples. */
  private interface Visitor {
    void visit(int user, int item, int index);
  }

  /** Visit a block's samples, and return their number. */
  private int visit(int block, double offset, Visitor visitor) {
    IntSlice items = IntSlice.itemsByUser(positives);
    int count = 0;
    double total = due[block];
    long visited = (long) Math.floor(total + offset);
    for (int user = firstUsers[block]; user < firstUsers[block + 1]; user++) {
      int end = positives.userStart(user + 1);
      for (int k = positives.userStart(user); k < end; k++) {
        total += weight(k) * scale;
        long upTo = (long) Math.floor(total + offset);
        for (; visited < upTo; visited++) {
          visitor.visit(user, items.get(k), count++);
        }
      }
    }
    return count;
  }

  private void shuffle(int from, int to, SplittableRandom random) {
    for (int last = to - 1; last > from; last--) {
      int other = from + random.nextInt(last + 1 - from);
      long sample = samples[last];
      samples[last] = samples[other];
      samples[other] = sample;
    }
  }

  private static long pack(int user, int item) {
    return (long) user << 32 | item;
  }

  /** Return the samples: user in the upper, item in the lower 32 bits. Not modified. */
  public long[] samples() {
    return samples;
  }

  /** Return where a block's samples start. */
  public int blockStart(int block) {
    return blockStarts[block];
  }

  /** Return where a slice starts in its block; the next one starts where it ends. */
  public int sliceStart(int block, int slice) {
    return slices[block][slice];
  }
}
