package org.pecf.plugin.backend.cpu.pairwise;

import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.pairwise.HeapBudget;
import org.pecf.backend.pairwise.PairwiseSampling;
import org.pecf.backend.pairwise.PositiveSamples;
import org.pecf.plugin.backend.cpu.pairwise.GradientSteps.Tally;

/**
 * Training by pairwise steps on this machine's cores, on heap copies of the factors.
 *
 * <p>Users are divided into B consecutive blocks of about as many positives; B depends on the data,
 * never on the threads. An epoch puts the items into B blocks at random; slice s of a block of
 * users holds its samples with positives in item block s, and their negatives are drawn from the
 * same item block. Round t runs slice (b + t) mod B of every block of users b. Because blocks are
 * drawn again each epoch and all items are alike, a negative is over the epochs as likely to be any
 * of the items that its user may get, as in plain sampling; but within an epoch a positive meets
 * only n / B items, a user without a negative in a block skips its samples there, and with
 * popularity an item's chance is its share of its block: the most popular items, which fall into
 * different blocks and crowd out their block alone, are drawn somewhat less often than their share
 * of all items.
 *
 * <p><b>Deterministic.</b> The slices of a round run at once: no two of them share a row, each has
 * its own seed, so the bits depend on nothing else.
 *
 * <p><b>Lock-free.</b> Threads go on to the next round without waiting for the others, so that some
 * may update a row at once, and the last one wins; one thread alone gives the same bits every time,
 * several do not. Drawing negatives from all items instead, as usual, takes longer: every row it
 * touches was last written by another core half of the time.
 */
public final class PairwiseTrainer implements PairwiseSgd {
  private static final int MOST_BLOCKS = 32;
  private static final int ROWS_IN_TASK = 4096;

  private final PairwiseRequest request;
  private final Parallelism parallelism;
  private final HeapBudget budget;
  private final BarredCells barred;
  private final PairwiseSampling sampling;
  private float[][] users = {};
  private float[][] items = {};

  private PairwiseTrainer(SessionContext context, PairwiseRequest request, HeapBudget budget) {
    this.request = request;
    this.parallelism = context.run().parallelism();
    this.budget = budget;
    budget.charge(BarredCells.bytes(request) + PairwiseSampling.bytes(request, MOST_BLOCKS));
    this.barred = BarredCells.of(request);
    this.sampling = new PairwiseSampling(request, MOST_BLOCKS);
  }

  /** Prepare the tables that samples are drawn from. */
  public static PairwiseTrainer prepare(SessionContext context, PairwiseRequest request) {
    context.run().cancellation().check();
    HeapBudget budget = new HeapBudget(context.run().allocator());
    try {
      return new PairwiseTrainer(context, request, budget);
    } catch (RuntimeException | Error e) {
      budget.close();
      throw e;
    }
  }

  @Override
  public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
    read(factors);
    Seed seed = request.seed().child("epoch", epoch);
    sampling.choose(seed, parallelism);
    GradientSteps steps =
        new GradientSteps(
            users,
            items,
            factors.rank(),
            request.itemBias(),
            sampling.negatives(),
            barred,
            request.penalties(),
            learningRate);
    int blocks = sampling.blocks();
    Tally[] tallies = new Tally[blocks * blocks];
    if (sampling.deterministic()) {
      for (int round = 0; round < blocks; round++) {
        int shift = round;
        parallelism.forEach(
            blocks,
            (block, worker) -> {
              tallies[shift * blocks + block] = run(steps, block, shift, seed);
            });
      }
    } else {
      parallelism.forEach(
          tallies.length,
          (task, worker) -> tallies[task] = run(steps, task % blocks, task / blocks, seed));
    }
    write(factors);
    return summary(tallies);
  }

  private Tally run(GradientSteps steps, int block, int round, Seed seed) {
    PositiveSamples positives = sampling.positives();
    int slice = sampling.slice(block, round);
    int start = positives.blockStart(block);
    return steps.run(
        positives.samples(),
        start + positives.sliceStart(block, slice),
        start + positives.sliceStart(block, slice + 1),
        slice,
        sampling.stepSeed(seed, block, slice));
  }

  private static PairwiseEpoch summary(Tally[] tallies) {
    Tally sum = Tally.NONE;
    for (Tally tally : tallies) {
      sum = sum.plus(tally);
    }
    return sum.samples() == 0
        ? new PairwiseEpoch(0, 0, 0.5)
        : new PairwiseEpoch(sum.samples(), sum.loss() / sum.samples(), sum.right() / sum.samples());
  }

  private void read(FactorModel factors) {
    if (users.length == 0 || users[0].length != factors.rank()) {
      int rank = factors.rank();
      budget.charge(
          FactorRows.bytes(factors.users().rows(), rank)
              + FactorRows.bytes(factors.items().rows(), rank));
      users = FactorRows.allocate(factors.users().rows(), rank);
      items = FactorRows.allocate(factors.items().rows(), rank);
    }
    copy(factors.users(), users, FactorRows::read);
    copy(factors.items(), items, FactorRows::read);
  }

  private void write(FactorModel factors) {
    copy(factors.users(), users, FactorRows::write);
    copy(factors.items(), items, FactorRows::write);
  }

  /** A copy of rows in one direction or the other. */
  private interface Copy {
    void copy(FloatMatrix matrix, float[][] rows, int from, int to);
  }

  private void copy(FloatMatrix matrix, float[][] rows, Copy copy) {
    parallelism.forEach(
        (rows.length + ROWS_IN_TASK - 1) / ROWS_IN_TASK,
        (task, worker) ->
            copy.copy(
                matrix,
                rows,
                task * ROWS_IN_TASK,
                Math.min(rows.length, (task + 1) * ROWS_IN_TASK)));
  }

  @Override
  public void close() {
    budget.close();
  }

  /**
   * The rows of a matrix on the heap.
   *
   * <p>Each row is an array of its own: the compiler then knows that a step's three rows are
   * different memory, or the same from the first element on, and vectorises the update, which it
   * does not for rows of one large array.
   */
  private static final class FactorRows {
    private FactorRows() {}

    /** Allocate rows. */
    static float[][] allocate(int rows, int columns) {
      return new float[rows][columns];
    }

    /** Return the bytes that rows take, headers included. */
    static long bytes(int rows, int columns) {
      return rows * (24L + (long) columns * Float.BYTES);
    }

    /**
     * Copy rows from a matrix.
     *
     * @param rows Modified.
     */
    static void read(FloatMatrix matrix, float[][] rows, int from, int to) {
      OffHeapFloats source = OffHeapFloats.borrow(matrix);
      int columns = matrix.columns();
      for (int row = from; row < to; row++) {
        source.read((long) row * columns, rows[row], 0, columns);
      }
    }

    /**
     * Copy rows to a matrix.
     *
     * @param matrix Modified.
     * @param rows Not modified.
     */
    static void write(FloatMatrix matrix, float[][] rows, int from, int to) {
      OffHeapFloats target = OffHeapFloats.borrow(matrix.writable());
      int columns = matrix.columns();
      for (int row = from; row < to; row++) {
        target.write((long) row * columns, rows[row], 0, columns);
      }
    }
  }
}
