package org.pecf.backend.pairwise;

import org.pecf.api.compute.PairwiseMode;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.Seed;

/**
 * The samples of epochs. Users are divided into B consecutive blocks of about as many positives,
 * and the items, at random in every epoch, into B blocks too. Slice s of a block of users holds its
 * samples with positives in item block s, and their negatives are drawn from the same one: slices
 * of different blocks share no row if they are of different items. B depends on the data alone,
 * never on threads.
 */
public final class PairwiseSampling {
  private static final int USERS_IN_BLOCK = 16;
  private static final int ITEMS_IN_BLOCK = 32;
  private static final int SAMPLES_IN_SLICE = 64;

  private final boolean deterministic;
  private final int blocks;
  private final PositiveSamples positives;
  private final NegativeItems negatives;

  /**
   * Prepare the tables that epochs draw from, for threads.
   *
   * @param mostBlocks the largest B
   */
  public PairwiseSampling(PairwiseRequest request, int mostBlocks) {
    this(request, mostBlocks, SAMPLES_IN_SLICE);
  }

  /**
   * Prepare the tables that epochs draw from.
   *
   * @param mostBlocks the largest B
   * @param samples the samples that make a slice worth a run
   */
  public PairwiseSampling(PairwiseRequest request, int mostBlocks, int samples) {
    deterministic = request.mode() == PairwiseMode.DETERMINISTIC;
    blocks = blocks(request.positives(), mostBlocks, samples);
    positives = new PositiveSamples(request.positives(), request.weights().orElse(null), blocks);
    negatives = new NegativeItems(request.positives(), request.popularity(), blocks);
  }

  /** Return the bytes on the heap that the layout of a request takes. */
  public static long bytes(PairwiseRequest request, int mostBlocks) {
    return bytes(request, mostBlocks, SAMPLES_IN_SLICE);
  }

  /** Return the bytes on the heap that the layout of a request takes. */
  public static long bytes(PairwiseRequest request, int mostBlocks, int samples) {
    int blocks = blocks(request.positives(), mostBlocks, samples);
    return PositiveSamples.bytes(request.positives(), blocks)
        + NegativeItems.bytes(request.positives().items(), request.popularity());
  }

  /** Return B: as many blocks as keep slices worth a run and blocks of items worth drawing from. */
  private static int blocks(SparseCells positives, int mostBlocks, int samples) {
    double most =
        Math.min(
            Math.sqrt(positives.count() / (double) samples),
            Math.min(positives.users() / USERS_IN_BLOCK, positives.items() / ITEMS_IN_BLOCK));
    return (int) Math.max(1, Math.min(mostBlocks, most));
  }

  /** Return whether the same seed must give the same bits. */
  public boolean deterministic() {
    return deterministic;
  }

  /** Return B. */
  public int blocks() {
    return blocks;
  }

  /** Return the positives of the epoch that was chosen last. */
  public PositiveSamples positives() {
    return positives;
  }

  /** Return where negatives of the epoch that was chosen last come from. */
  public NegativeItems negatives() {
    return negatives;
  }

  /** Return the seed of the steps of a slice in an epoch. */
  public long stepSeed(Seed epoch, int block, int slice) {
    return epoch.child("steps", (long) block * blocks + slice).value();
  }

  /** Choose an epoch's samples. */
  public void choose(Seed epoch, Parallelism parallelism) {
    double offset = epoch.child("offset").random().nextDouble();
    negatives.shuffle(epoch.child("items"));
    parallelism.forEach(
        blocks,
        (block, worker) ->
            positives.choose(block, offset, negatives::blockOf, epoch.child("samples", block)));
  }

  /** Return the slice that a block of users runs in a round, unlike all others in that round. */
  public int slice(int block, int round) {
    return (block + round) % blocks;
  }
}
