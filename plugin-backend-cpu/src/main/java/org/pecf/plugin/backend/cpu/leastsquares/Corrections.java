package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.NativeInts;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.CellRun;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.ObservedCells;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * Hold the exceptions to a background, by user and by item: for each its weight's excess {@code w -
 * b} and its pull {@code w t - b t_b}, the excess on the right-hand side.
 *
 * <p>Within a row, exceptions above the background come first. Where the excess takes one value
 * above and one below, as without re-weighting, those two are all there is to say. Else an
 * exception has a scale s, the root of the absolute excess, and {@code pull / s}: what a sum over
 * factors scaled by s is made of.
 */
final class Corrections implements AutoCloseable {
  /** The bytes an exception takes, both views together. */
  static final long BYTES = 2L * View.WORDS * Float.BYTES;

  /**
   * The scale of an exception that has a pull but no excess, so that the pull can be divided by it:
   * its square is lost among weights.
   */
  private static final float NEGLIGIBLE = 1e-10f;

  private final View byUser;
  private final View byItem;
  private final double squares;
  private final double[] userExcess;
  private final double[] itemExcess;

  private Corrections(
      View byUser, View byItem, double squares, double[] userExcess, double[] itemExcess) {
    this.byUser = byUser;
    this.byItem = byItem;
    this.squares = squares;
    this.userExcess = userExcess;
    this.itemExcess = itemExcess;
  }

  /** One of the two compressed views: an int and two floats an exception, side by side. */
  static final class View implements AutoCloseable {
    /** How many 4-byte words an exception takes. */
    static final int WORDS = 3;

    private final long[] starts;
    private final int[] aboves;
    private final Levels levels;
    private final NativeFloats entries;

    private View(Setting setting, long[] starts, int[] aboves, Levels levels) {
      this.starts = starts;
      this.aboves = aboves;
      this.levels = levels;
      this.entries = NativeFloats.allocate(setting.allocator(), WORDS * starts[starts.length - 1]);
    }

    /** Return how many exceptions a row has. */
    int count(int row) {
      return Math.toIntExact(starts[row + 1] - starts[row]);
    }

    /** Return how many exceptions of a row are above the background; these come first. */
    int above(int row) {
      return aboves[row];
    }

    /** Return the values that the excess takes. */
    Levels levels() {
      return levels;
    }

    /** Return the address of a row's first exception. */
    long entries(int row) {
      return entries.address(WORDS * starts[row]);
    }

    /** Return the row of the other side that an exception is in. */
    static int other(long entries, int index) {
      return NativeInts.at(entries, (long) WORDS * index);
    }

    /** Return the scale of an exception; of no meaning where levels are uniform. */
    static float scale(long entries, int index) {
      return NativeFloats.at(entries, (long) WORDS * index + 1);
    }

    /** Return the address of an exception's pull, divided by the scale if it has one. */
    static long pull(long entries, int index) {
      return entries + (long) (WORDS * index + 2) * Float.BYTES;
    }

    private void set(long at, int other, float scale, float pull) {
      long address = entries.address(WORDS * at);
      NativeInts.put(address, 0, other);
      NativeFloats.put(address, 1, scale);
      NativeFloats.put(address, 2, pull);
    }

    @Override
    public void close() {
      entries.close();
    }
  }

  /**
   * Say which values the excess takes.
   *
   * @param uniform whether it takes one value above the background and one below at most
   * @param above the one above, if uniform
   * @param below the one below, if uniform
   */
  record Levels(boolean uniform, float above, float below) {}

  /** Return the view of a side. */
  View of(Side side) {
    return side == Side.USERS ? byUser : byItem;
  }

  /** Return how many exceptions there are. */
  long count() {
    return byUser.starts[byUser.starts.length - 1];
  }

  /** Return {@code sum (w t^2 - b t_b^2)} over the exceptions. */
  double squares() {
    return squares;
  }

  /** Return the sum of the excess weights of each row of a side. */
  double[] excess(Side side) {
    return side == Side.USERS ? userExcess : itemExcess;
  }

  /**
   * Find the exceptions.
   *
   * @param most how many there may be at most
   * @return null if there are more
   */
  static Corrections find(
      Setting setting, LeastSquaresRequest request, Background background, long most) {
    Finder finder = new Finder(setting, request, background, most);
    boolean few;
    try (FieldProgram program = finder.program) {
      program.join(setting.store());
      few = finder.run();
    }
    return few ? finder.collect() : null;
  }

  @Override
  public void close() {
    byUser.close();
    byItem.close();
  }

  /** What a block of users yields. */
  private static final class Found {
    final int[] ends;
    final int[] aboves;
    final double[] sums;
    int[] items = new int[1024];
    float[] excess = new float[1024];
    float[] pull = new float[1024];
    int count;
    double squares;
    float leastAbove = Float.POSITIVE_INFINITY;
    float mostAbove = Float.NEGATIVE_INFINITY;
    float leastBelow = Float.POSITIVE_INFINITY;
    float mostBelow = Float.NEGATIVE_INFINITY;

    Found(int users) {
      ends = new int[users];
      aboves = new int[users];
      sums = new double[users];
    }

    /** End the exceptions of a user. */
    void end(int user) {
      for (int p = user == 0 ? 0 : ends[user - 1]; p < count; p++) {
        sums[user] += excess[p];
        aboves[user] += excess[p] >= 0 ? 1 : 0;
      }
      ends[user] = count;
    }

    /** Add an exception, unless it makes no difference. */
    void add(int item, float itsExcess, float itsPull) {
      if (itsExcess == 0 && itsPull == 0) {
        return;
      }
      items[count] = item;
      excess[count] = itsExcess;
      pull[count++] = itsPull;
      if (itsExcess >= 0) {
        leastAbove = Math.min(leastAbove, itsExcess);
        mostAbove = Math.max(mostAbove, itsExcess);
      } else {
        leastBelow = Math.min(leastBelow, itsExcess);
        mostBelow = Math.max(mostBelow, itsExcess);
      }
    }

    /** Add what another has found. */
    void addAll(Found other) {
      ensure(other.count);
      System.arraycopy(other.items, 0, items, count, other.count);
      System.arraycopy(other.excess, 0, excess, count, other.count);
      System.arraycopy(other.pull, 0, pull, count, other.count);
      count += other.count;
      squares += other.squares;
      widen(other);
    }

    /** Widen the ranges of the excess to another's. */
    void widen(Found other) {
      leastAbove = Math.min(leastAbove, other.leastAbove);
      mostAbove = Math.max(mostAbove, other.mostAbove);
      leastBelow = Math.min(leastBelow, other.leastBelow);
      mostBelow = Math.max(mostBelow, other.mostBelow);
    }

    Levels levels() {
      boolean uniform = leastAbove >= mostAbove && leastBelow >= mostBelow && mostAbove != 0;
      return new Levels(uniform, uniform ? mostAbove : 0, uniform ? mostBelow : 0);
    }

    void ensure(int more) {
      if (count + more > items.length) {
        int size = Math.max(count + more, items.length * 2);
        items = Arrays.copyOf(items, size);
        excess = Arrays.copyOf(excess, size);
        pull = Arrays.copyOf(pull, size);
      }
    }
  }

  private static final class Finder {
    private static final int USERS = TileEvaluator.USERS;

    /** In how many parts exceptions are mirrored: a constant, so that sums are always the same. */
    private static final int PARTS = 16;

    private final Setting setting;
    private final Background background;
    private final GridShape shape;
    private final long most;
    private final FieldProgram program;
    private final int weightSlots;
    private final ObservedCells observed;
    private final Found[] blocks;
    private final AtomicLong total = new AtomicLong();

    Finder(Setting setting, LeastSquaresRequest request, Background background, long most) {
      this.setting = setting;
      this.background = background;
      this.shape = setting.shape();
      this.most = most;
      // Compiled first, the weights' scores take the first slots.
      this.weightSlots = FieldProgram.of(request.weights()).slots().size();
      this.program = FieldProgram.of(request.weights(), request.targets(), background.targets());
      this.observed = ObservedCells.of(background.observed());
      this.blocks = new Found[(shape.users() + USERS - 1) / USERS];
    }

    /** Return whether there are few enough exceptions. */
    boolean run() {
      boolean scan =
          background.everything()
              || weightSlots > 0 && background.scoreBound() < Float.POSITIVE_INFINITY;
      setting
          .parallelism()
          .forEach(
              blocks.length,
              (block, number) -> {
                if (total.get() > most) {
                  return;
                }
                Worker worker = setting.workers()[number];
                int first = block * USERS;
                int users = Math.min(USERS, shape.users() - first);
                Found found = new Found(users);
                if (scan) {
                  scan(worker, first, users, found);
                } else {
                  list(worker, first, users, found);
                }
                blocks[block] = found;
                total.addAndGet(found.count);
              });
      return total.get() <= most;
    }

    /** List the observed cells of a block of users. */
    private void list(Worker worker, int first, int users, Found found) {
      CellRun run = program.run(worker);
      int[] items = new int[shape.items()];
      for (int u = 0; u < users; u++) {
        int count = observed.list(first + u, 0, shape.items(), items);
        program.moveTo(run, first + u, items, count);
        add(worker, run, items, count, found);
        found.end(u);
      }
    }

    /** Scan a block of users for observed and hard cells, one user's tiles after another's. */
    private void scan(Worker worker, int first, int users, Found found) {
      CellRun listed = program.run(worker);
      int[] hard = new int[TileEvaluator.ITEMS + 1];
      int[] listedItems = new int[TileEvaluator.ITEMS];
      int[] items = new int[2 * TileEvaluator.ITEMS];
      // Tiles run along the items, so a user's exceptions arrive in pieces: keep them by user.
      Found[] byUser = new Found[users];
      Arrays.setAll(byUser, u -> new Found(1));
      TileEvaluator.visit(
          program,
          worker,
          program.run(worker),
          first,
          users,
          0,
          shape.items(),
          (run, firstItem) -> {
            int count = mark(run, firstItem, hard, listedItems, items);
            listed.select(run, items, count);
            add(worker, listed, items, count, byUser[run.user() - first]);
          });
      for (int u = 0; u < users; u++) {
        found.addAll(byUser[u]);
        found.end(u);
      }
    }

    /**
     * List the exceptions among a run of consecutive cells.
     *
     * @param hard scratch. Modified.
     * @param listed scratch. Modified.
     * @param items receives the items, ascending. Modified.
     */
    private int mark(CellRun run, int firstItem, int[] hard, int[] listed, int[] items) {
      int width = run.count();
      if (background.everything()) {
        Arrays.setAll(hard, p -> firstItem + p);
        System.arraycopy(hard, 0, items, 0, width);
        return width;
      }
      int observedCount = observed.list(run.user(), firstItem, width, listed);
      int hards = 0;
      float bound = background.scoreBound();
      if (weightSlots == 1) {
        float[] scores = run.scores(0);
        for (int p = 0; p < width; p++) {
          hard[hards] = firstItem + p;
          hards += Math.abs(scores[p]) > bound ? 1 : 0;
        }
      } else {
        for (int p = 0; p < width; p++) {
          boolean beyond = false;
          for (int slot = 0; slot < weightSlots; slot++) {
            beyond |= Math.abs(run.scores(slot)[p]) > bound;
          }
          hard[hards] = firstItem + p;
          hards += beyond ? 1 : 0;
        }
      }
      return merge(hard, hards, listed, observedCount, items);
    }

    /** Merge two ascending lists; what is in both is listed once. */
    private static int merge(int[] left, int lefts, int[] right, int rights, int[] merged) {
      int count = 0;
      int l = 0;
      for (int r = 0; r < rights; r++) {
        while (l < lefts && left[l] < right[r]) {
          merged[count++] = left[l++];
        }
        if (l < lefts && left[l] == right[r]) {
          l++;
        }
        merged[count++] = right[r];
      }
      System.arraycopy(left, l, merged, count, lefts - l);
      return count + lefts - l;
    }

    /** Evaluate weights and targets at exceptions. */
    private void add(Worker worker, CellRun run, int[] items, int count, Found found) {
      if (count == 0) {
        return;
      }
      float[] weights = worker.heap("corrections.weights", count);
      float[] targets = worker.heap("corrections.targets", count);
      float[] plain = worker.heap("corrections.plain", count);
      program.evaluate(0, run, weights);
      program.evaluate(1, run, targets);
      program.evaluate(2, run, plain);
      found.ensure(count);
      double b = background.weight();
      for (int p = 0; p < count; p++) {
        found.add(
            items[p],
            (float) (weights[p] - b),
            (float) ((double) weights[p] * targets[p] - b * plain[p]));
        found.squares +=
            (double) weights[p] * targets[p] * targets[p] - b * (double) plain[p] * plain[p];
      }
    }

    /** Join the blocks, and mirror them by item. */
    Corrections collect() {
      Part[] parts = new Part[Math.min(PARTS, blocks.length)];
      setting
          .parallelism()
          .forEach(parts.length, (index, number) -> parts[index] = count(index, parts.length));
      long[] userStarts = new long[shape.users() + 1];
      int[] userAboves = new int[shape.users()];
      double[] userExcess = new double[shape.users()];
      Found whole = new Found(0);
      long before = 0;
      for (int block = 0; block < blocks.length; block++) {
        Found found = blocks[block];
        for (int u = 0; u < found.ends.length; u++) {
          int user = block * USERS + u;
          userStarts[user + 1] = before + found.ends[u];
          userAboves[user] = found.aboves[u];
          userExcess[user] = found.sums[u];
        }
        before += found.count;
        whole.squares += found.squares;
        whole.widen(found);
      }
      long[] itemStarts = new long[shape.items() + 1];
      int[] itemAboves = new int[shape.items()];
      double[] itemExcess = new double[shape.items()];
      for (int item = 0; item < shape.items(); item++) {
        long next = itemStarts[item];
        for (Part part : parts) {
          next += place(part.above, item, next);
          itemExcess[item] += part.excess[item];
        }
        itemAboves[item] = (int) (next - itemStarts[item]);
        for (Part part : parts) {
          next += place(part.below, item, next);
        }
        itemStarts[item + 1] = next;
      }
      Levels levels = whole.levels();
      View byUser = new View(setting, userStarts, userAboves, levels);
      View byItem = null;
      try {
        byItem = new View(setting, itemStarts, itemAboves, levels);
        View mirror = byItem;
        setting
            .parallelism()
            .forEach(
                parts.length, (index, number) -> fill(index, parts[index], parts, byUser, mirror));
        return new Corrections(byUser, byItem, whole.squares, userExcess, itemExcess);
      } catch (RuntimeException | Error e) {
        byUser.close();
        if (byItem != null) {
          byItem.close();
        }
        throw e;
      }
    }

    /** Replace a count by the place where its exceptions start, and return the count. */
    private static long place(long[] counts, int item, long start) {
      long count = counts[item];
      counts[item] = start;
      return count;
    }

    /** Count the exceptions of every item in a part of the blocks. */
    private Part count(int index, int parts) {
      Part part = new Part(shape.items());
      for (int block = firstBlock(index, parts); block < firstBlock(index + 1, parts); block++) {
        Found found = blocks[block];
        for (int p = 0; p < found.count; p++) {
          int item = found.items[p];
          part.excess[item] += found.excess[p];
          (found.excess[p] >= 0 ? part.above : part.below)[item]++;
        }
      }
      return part;
    }

    private int firstBlock(int part, int parts) {
      return (int) ((long) blocks.length * part / parts);
    }

    /** Write a part of the blocks into both views. */
    private void fill(int index, Part part, Part[] parts, View byUser, View byItem) {
      boolean uniform = byUser.levels.uniform();
      int end = firstBlock(index + 1, parts.length);
      for (int block = firstBlock(index, parts.length); block < end; block++) {
        Found found = blocks[block];
        blocks[block] = null;
        int p = 0;
        for (int u = 0; u < found.ends.length; u++) {
          int user = block * USERS + u;
          long above = byUser.starts[user];
          long below = above + byUser.aboves[user];
          for (; p < found.ends[u]; p++) {
            int item = found.items[p];
            float excess = found.excess[p];
            float pull = found.pull[p];
            float scale = 1;
            if (!uniform) {
              scale = excess == 0 ? NEGLIGIBLE : (float) Math.sqrt(Math.abs(excess));
              pull /= scale;
            }
            if (excess >= 0) {
              byUser.set(above++, item, scale, pull);
              byItem.set(part.above[item]++, user, scale, pull);
            } else {
              byUser.set(below++, item, scale, pull);
              byItem.set(part.below[item]++, user, scale, pull);
            }
          }
        }
      }
    }
  }

  /** What each item has in a part of the blocks: how many above and below, later their places. */
  private static final class Part {
    final long[] above;
    final long[] below;
    final double[] excess;

    Part(int items) {
      above = new long[items];
      below = new long[items];
      excess = new double[items];
    }
  }
}
