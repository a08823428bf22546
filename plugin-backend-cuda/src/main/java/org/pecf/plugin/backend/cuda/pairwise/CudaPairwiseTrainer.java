package org.pecf.plugin.backend.cuda.pairwise;

import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwisePenalties;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Seed;
import org.pecf.backend.pairwise.BarredItems;
import org.pecf.backend.pairwise.HeapBudget;
import org.pecf.backend.pairwise.NegativeItems;
import org.pecf.backend.pairwise.PairwiseSampling;
import org.pecf.backend.pairwise.PositiveSamples;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceFactors;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Training by pairwise steps, with one warp per run of samples.
 *
 * <p>The host chooses the samples of an epoch: users are divided into B consecutive blocks of about
 * as many positives, and each block's samples into B slices; B depends on the data alone. The
 * device draws the negatives and makes the steps.
 *
 * <p><b>Deterministic.</b> An epoch puts the items into B blocks at random; slice s of a block of
 * users holds its samples with positives in item block s, and their negatives are drawn from the
 * same item block. Round t runs slice (b + t) mod B of every block of users b at once: no two of
 * them share a row, so the bits depend on nothing else.
 *
 * <p><b>Lock-free.</b> Slices are random, negatives come from all items, and all slices run at
 * once; rows that two of them move at the same time take both moves, in no fixed order.
 */
public final class CudaPairwiseTrainer implements PairwiseSgd {
  /**
   * The most blocks, each a warp of a round: a large device runs a few thousand warps at once, and
   * the tables of runs grow by the square of it.
   */
  private static final int MOST_BLOCKS = 2048;

  /** The samples that make a slice worth a run: about those in the time of a launch. */
  private static final int SAMPLES = 16;

  /** The runs of a lock-free epoch that are launched at a time. */
  private static final int RUNS = 1 << 14;

  private final SessionContext context;
  private final Device device;
  private final PairwiseRequest request;
  private final HeapBudget budget;
  private final Scratch scratch;
  private final PairwiseSampling sampling;
  private final Tables tables;
  private @Nullable DeviceFactors deviceFactors;
  private int deviceRank;

  private CudaPairwiseTrainer(
      SessionContext context,
      Device device,
      PairwiseRequest request,
      HeapBudget budget,
      Scratch scratch) {
    this.context = context;
    this.device = device;
    this.request = request;
    this.budget = budget;
    this.scratch = scratch;
    this.sampling = new PairwiseSampling(request, MOST_BLOCKS, SAMPLES);
    this.tables = new Tables(BarredItems.of(request));
  }

  /** Prepare the tables that samples are drawn from. */
  public static CudaPairwiseTrainer prepare(
      SessionContext context, Device device, PairwiseRequest request) {
    context.run().cancellation().check();
    HeapBudget budget = new HeapBudget(context.run().allocator());
    Scratch scratch = new Scratch();
    try {
      budget.charge(
          BarredItems.most(request) * Integer.BYTES
              + PairwiseSampling.bytes(request, MOST_BLOCKS, SAMPLES));
      return new CudaPairwiseTrainer(context, device, request, budget, scratch);
    } catch (RuntimeException | Error e) {
      scratch.close();
      budget.close();
      throw e;
    }
  }

  /** The tables on the device, besides the factors. */
  private final class Tables {
    private final DeviceMemory barredStarts;
    private final DeviceMemory barredItems;
    private final DeviceMemory samples;
    private final DeviceMemory order;
    private final @Nullable DeviceMemory keep;
    private final @Nullable DeviceMemory alias;
    private final DeviceMemory runStarts;
    private final DeviceMemory runEnds;
    private final DeviceMemory runBlocks;
    private final DeviceMemory runSeeds;
    private final DeviceMemory counts;
    private final DeviceMemory losses;
    private final DeviceMemory halves;

    Tables(BarredItems barred) {
      int runs = sampling.blocks() * sampling.blocks();
      int items = request.positives().items();
      DeviceStream stream = device.stream(0);
      barredStarts = scratch.ints(barred.starts().length);
      stream.upload(barredStarts, barred.starts());
      barredItems = scratch.ints(barred.items().length);
      stream.upload(barredItems, barred.items());
      samples = scratch.bytes((long) sampling.positives().samples().length * Long.BYTES);
      order = scratch.ints(items);
      keep = sampling.negatives().weighted() ? scratch.floats(items) : null;
      alias = sampling.negatives().weighted() ? scratch.ints(items) : null;
      runStarts = scratch.bytes((long) runs * Long.BYTES);
      runEnds = scratch.bytes((long) runs * Long.BYTES);
      runBlocks = scratch.ints(runs);
      runSeeds = scratch.bytes((long) runs * Long.BYTES);
      counts = scratch.bytes((long) runs * Long.BYTES);
      losses = scratch.doubles(runs);
      halves = scratch.bytes((long) runs * Long.BYTES);
      stream.await();
    }

    /** Copy an epoch's samples and their division into runs. */
    void load(DeviceStream stream, Seed seed) {
      PositiveSamples positives = sampling.positives();
      NegativeItems negatives = sampling.negatives();
      int blocks = sampling.blocks();
      int runs = blocks * blocks;
      long[] starts = new long[runs];
      long[] ends = new long[runs];
      int[] itemBlocks = new int[runs];
      long[] seeds = new long[runs];
      context
          .run()
          .parallelism()
          .forEach(
              blocks,
              (round, worker) -> {
                // One round after the other; in a round, one block of users after the other.
                for (int block = 0; block < blocks; block++) {
                  int run = round * blocks + block;
                  int slice = sampling.slice(block, round);
                  itemBlocks[run] = slice;
                  long start = positives.blockStart(block);
                  starts[run] = start + positives.sliceStart(block, slice);
                  ends[run] =
                      negatives.empty(slice)
                          ? starts[run]
                          : start + positives.sliceStart(block, slice + 1);
                  seeds[run] = sampling.stepSeed(seed, block, slice);
                }
              });
      stream.upload(samples, positives.samples());
      stream.upload(order, negatives.order());
      if (keep != null && alias != null) {
        stream.upload(keep, 0, negatives.keep());
        stream.upload(alias, negatives.alias());
      }
      stream.upload(runStarts, starts);
      stream.upload(runEnds, ends);
      stream.upload(runBlocks, itemBlocks);
      stream.upload(runSeeds, seeds);
    }
  }

  @Override
  public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
    context.run().cancellation().check();
    Seed seed = request.seed().child("epoch", epoch);
    sampling.choose(seed, context.run().parallelism());
    DeviceStream stream = device.stream(0);
    tables.load(stream, seed);
    DeviceFactors onDevice = deviceFactors(factors);
    Steps steps =
        new Steps(
            onDevice.load(Side.USERS, factors),
            onDevice.load(Side.ITEMS, factors),
            factors.rank(),
            learningRate);
    onDevice.change(Side.USERS);
    onDevice.change(Side.ITEMS);
    int blocks = sampling.blocks();
    int runs = blocks * blocks;
    int together = sampling.deterministic() ? blocks : RUNS;
    for (int run = 0; run < runs; run += together) {
      context.run().cancellation().check();
      steps.launch(stream, run, Math.min(together, runs - run));
    }
    PairwiseEpoch summary = summary(stream, runs);
    onDevice.store(Side.USERS, factors);
    onDevice.store(Side.ITEMS, factors);
    return summary;
  }

  private DeviceFactors deviceFactors(FactorModel factors) {
    if (deviceFactors != null && deviceRank != factors.rank()) {
      deviceFactors.close();
      deviceFactors = null;
    }
    if (deviceFactors == null) {
      GridShape shape = factors.shape();
      deviceFactors = new DeviceFactors(device, context.run().parallelism(), shape, factors.rank());
      deviceRank = factors.rank();
    }
    return deviceFactors;
  }

  /** The steps of one epoch. */
  private final class Steps {
    private final DeviceMemory users;
    private final DeviceMemory items;
    private final int rank;
    private final double rate;

    Steps(DeviceMemory users, DeviceMemory items, int rank, double rate) {
      this.users = users;
      this.items = items;
      this.rank = rank;
      this.rate = rate;
    }

    void launch(DeviceStream stream, int firstRun, int runs) {
      PairwisePenalties penalties = request.penalties();
      PartMask mask = request.candidates().orElse(null);
      long first = mask == null ? 0 : mask.start();
      long end = mask == null ? 1 : mask.end();
      if (first == end) {
        // A part without cells: an empty range means that nothing is a candidate.
        first = 1;
        end = 1;
      }
      stream.launch(
          "run_pairwise",
          new LaunchGrid(runs, 1, 32, 1),
          0,
          users,
          items,
          rank,
          request.itemBias() ? 1 : 0,
          (float) rate,
          (float) (1 - rate * penalties.users()),
          (float) (1 - rate * penalties.positives()),
          (float) (1 - rate * penalties.negatives()),
          tables.samples,
          tables.runStarts,
          tables.runEnds,
          tables.runBlocks,
          tables.runSeeds,
          firstRun,
          tables.order,
          request.positives().items(),
          sampling.negatives().blocks(),
          tables.keep == null ? DeviceSlice.NONE : tables.keep.slice(),
          tables.alias == null ? DeviceSlice.NONE : tables.alias.slice(),
          tables.barredStarts,
          tables.barredItems,
          mask == null ? 0 : 1,
          mask == null ? 0L : mask.seed(),
          (int) first,
          (int) (end - 1),
          sampling.deterministic() ? 1 : 0,
          tables.counts,
          tables.losses,
          tables.halves);
    }
  }

  private PairwiseEpoch summary(DeviceStream stream, int runs) {
    long[] counts = new long[runs];
    double[] losses = new double[runs];
    long[] halves = new long[runs];
    stream.download(tables.counts, counts);
    stream.download(tables.losses, losses);
    stream.download(tables.halves, halves);
    long samples = 0;
    double loss = 0;
    long right = 0;
    for (int run = 0; run < runs; run++) {
      samples += counts[run];
      loss += losses[run];
      right += halves[run];
    }
    return samples == 0
        ? new PairwiseEpoch(0, 0, 0.5)
        : new PairwiseEpoch(samples, loss / samples, right / 2.0 / samples);
  }

  @Override
  public void close() {
    if (deviceFactors != null) {
      deviceFactors.close();
    }
    scratch.close();
    budget.close();
  }
}
