package org.pecf.plugin.backend.cuda.pairwise;

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
import org.pecf.backend.base.pairwise.HeapBudget;
import org.pecf.backend.base.pairwise.NegativeItems;
import org.pecf.backend.base.pairwise.PairwiseSampling;
import org.pecf.backend.base.pairwise.PositiveSamples;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.ResidentFactors;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * Train by pairwise steps on the device, a warp for each run of samples.
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
public final class PairwiseTrainer implements PairwiseSgd {
  /** More blocks than warps would only make rounds shorter. */
  private static final int MOST_BLOCKS = 256;

  /** How many runs of a lock-free epoch are launched at a time. */
  private static final int RUNS = 1 << 14;

  private final SessionContext context;
  private final Device device;
  private final PairwiseRequest request;
  private final HeapBudget budget;
  private final Scratch scratch;
  private final PairwiseSampling sampling;
  private final Tables tables;
  private ResidentFactors residents;
  private int residentRank;

  private PairwiseTrainer(
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
    this.sampling = new PairwiseSampling(request, MOST_BLOCKS);
    this.tables = new Tables(BarredCells.of(request));
  }

  /** Lay out what samples are drawn from. */
  public static PairwiseTrainer prepare(
      SessionContext context, Device device, PairwiseRequest request) {
    context.run().cancellation().check();
    HeapBudget budget = new HeapBudget(context.run().allocator());
    Scratch scratch = new Scratch();
    try {
      budget.charge(
          BarredCells.most(request) * Integer.BYTES + PairwiseSampling.bytes(request, MOST_BLOCKS));
      return new PairwiseTrainer(context, device, request, budget, scratch);
    } catch (RuntimeException | Error e) {
      scratch.close();
      budget.close();
      throw e;
    }
  }

  /** What is on the device beside the factors. */
  private final class Tables {
    private final DeviceMemory barredStarts;
    private final DeviceMemory barredItems;
    private final DeviceMemory samples;
    private final DeviceMemory order;
    private final DeviceMemory keep;
    private final DeviceMemory alias;
    private final DeviceMemory runStarts;
    private final DeviceMemory runEnds;
    private final DeviceMemory runBlocks;
    private final DeviceMemory runSeeds;
    private final DeviceMemory counts;
    private final DeviceMemory losses;
    private final DeviceMemory halves;

    Tables(BarredCells barred) {
      int runs = sampling.blocks() * sampling.blocks();
      int items = request.positives().items();
      Lane lane = device.lane(0);
      barredStarts = scratch.ints(barred.starts().length);
      lane.upload(barredStarts, barred.starts());
      barredItems = scratch.ints(barred.items().length);
      lane.upload(barredItems, barred.items());
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
      lane.await();
    }

    /** Copy what an epoch draws from and how it is divided into runs. */
    void load(Lane lane, Seed seed) {
      PositiveSamples positives = sampling.positives();
      NegativeItems negatives = sampling.negatives();
      int blocks = sampling.blocks();
      int runs = blocks * blocks;
      long[] starts = new long[runs];
      long[] ends = new long[runs];
      int[] itemBlocks = new int[runs];
      long[] seeds = new long[runs];
      for (int run = 0; run < runs; run++) {
        // One round after the other; in a round, one block of users after the other.
        int block = run % blocks;
        int slice = sampling.slice(block, run / blocks);
        itemBlocks[run] = slice;
        long start = positives.blockStart(block);
        starts[run] = start + positives.sliceStart(block, slice);
        ends[run] =
            negatives.empty(itemBlocks[run])
                ? starts[run]
                : start + positives.sliceStart(block, slice + 1);
        seeds[run] = sampling.stepSeed(seed, block, slice);
      }
      lane.upload(samples, positives.samples());
      lane.upload(order, negatives.order());
      if (negatives.weighted()) {
        lane.upload(keep, 0, negatives.keep());
        lane.upload(alias, negatives.alias());
      }
      lane.upload(runStarts, starts);
      lane.upload(runEnds, ends);
      lane.upload(runBlocks, itemBlocks);
      lane.upload(runSeeds, seeds);
    }
  }

  @Override
  public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
    context.run().cancellation().check();
    Seed seed = request.seed().child("epoch", epoch);
    sampling.choose(seed, context.run().parallelism());
    Lane lane = device.lane(0);
    tables.load(lane, seed);
    ResidentFactors resident = residents(factors);
    Steps steps =
        new Steps(
            resident.load(Side.USERS, factors).address(),
            resident.load(Side.ITEMS, factors).address(),
            factors.rank(),
            learningRate);
    resident.change(Side.USERS);
    resident.change(Side.ITEMS);
    int blocks = sampling.blocks();
    int runs = blocks * blocks;
    int together = sampling.deterministic() ? blocks : RUNS;
    for (int run = 0; run < runs; run += together) {
      context.run().cancellation().check();
      steps.launch(lane, run, Math.min(together, runs - run));
    }
    PairwiseEpoch summary = summary(lane, runs);
    resident.store(Side.USERS, factors);
    resident.store(Side.ITEMS, factors);
    return summary;
  }

  private ResidentFactors residents(FactorModel factors) {
    if (residents != null && residentRank != factors.rank()) {
      residents.close();
      residents = null;
    }
    if (residents == null) {
      GridShape shape = factors.shape();
      residents = new ResidentFactors(device, shape, factors.rank());
      residentRank = factors.rank();
    }
    return residents;
  }

  /** The steps of one epoch. */
  private final class Steps {
    private final long users;
    private final long items;
    private final int rank;
    private final double rate;

    Steps(long users, long items, int rank, double rate) {
      this.users = users;
      this.items = items;
      this.rank = rank;
      this.rate = rate;
    }

    void launch(Lane lane, int firstRun, int runs) {
      PairwisePenalties penalties = request.penalties();
      PartMask mask = request.candidates().orElse(null);
      long first = mask == null ? 0 : mask.start();
      long end = mask == null ? 1 : mask.end();
      if (first == end) {
        // A part without cells: nothing is a candidate. A range that is empty says so.
        first = 1;
        end = 1;
      }
      lane.launch(
          "run_pairwise",
          new Grid(runs, 1, 32, 1),
          0,
          users,
          items,
          rank,
          request.itemBias() ? 1 : 0,
          (float) rate,
          (float) (1 - rate * penalties.users()),
          (float) (1 - rate * penalties.positives()),
          (float) (1 - rate * penalties.negatives()),
          tables.samples.address(),
          tables.runStarts.address(),
          tables.runEnds.address(),
          tables.runBlocks.address(),
          tables.runSeeds.address(),
          firstRun,
          tables.order.address(),
          request.positives().items(),
          sampling.negatives().blocks(),
          tables.keep == null ? 0L : tables.keep.address(),
          tables.alias == null ? 0L : tables.alias.address(),
          tables.barredStarts.address(),
          tables.barredItems.address(),
          mask == null ? 0 : 1,
          mask == null ? 0L : mask.seed(),
          (int) first,
          (int) (end - 1),
          sampling.deterministic() ? 1 : 0,
          tables.counts.address(),
          tables.losses.address(),
          tables.halves.address());
    }
  }

  private PairwiseEpoch summary(Lane lane, int runs) {
    long[] counts = new long[runs];
    double[] losses = new double[runs];
    long[] halves = new long[runs];
    lane.download(tables.counts, counts);
    lane.download(tables.losses, losses);
    lane.download(tables.halves, halves);
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
    if (residents != null) {
      residents.close();
    }
    scratch.close();
    budget.close();
  }
}
