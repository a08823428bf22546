package org.pecf.backend.cpu.leastsquares;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.NativeInts;
import org.pecf.backend.cpu.algebra.Worker;
import org.pecf.backend.cpu.field.CellRun;
import org.pecf.backend.cpu.field.FieldProgram;
import org.pecf.backend.cpu.field.TileEvaluator;

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
  static final long BYTES = 2L * (Integer.BYTES + 2 * Float.BYTES);

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

  /** One of the two compressed views. */
  static final class View implements AutoCloseable {
    private final long[] starts;
    private final int[] aboves;
    private final Levels levels;
    private final NativeInts others;
    private final NativeFloats scales;
    private final NativeFloats pulls;

    private View(Setting setting, long[] starts, int[] aboves, Levels levels) {
      long count = starts[starts.length - 1];
      this.starts = starts;
      this.aboves = aboves;
      this.levels = levels;
      this.others = NativeInts.allocate(setting.allocator(), count);
      this.scales = NativeFloats.allocate(setting.allocator(), levels.uniform() ? 1 : count);
      this.pulls = NativeFloats.allocate(setting.allocator(), count);
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

    /** Return the address of the first exception's row of the other side: an int for each. */
    long others(int row) {
      return others.address(starts[row]);
    }

    /** Return the address of the first exception's scale, unless levels are uniform. */
    long scales(int row) {
      return scales.address(starts[row]);
    }

    /** Return the address of the first exception's pull, divided by the scale if it has one. */
    long pulls(int row) {
      return pulls.address(starts[row]);
    }

    private void set(long at, int other, float excess, float pull) {
      others.set(at, other);
      if (levels.uniform()) {
        pulls.set(at, pull);
      } else {
        float scale = excess == 0 ? NEGLIGIBLE : (float) Math.sqrt(Math.abs(excess));
        scales.set(at, scale);
        pulls.set(at, pull / scale);
      }
    }

    @Override
    public void close() {
      others.close();
      scales.close();
      pulls.close();
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
    return finder.run() ? finder.collect() : null;
  }

  @Override
  public void close() {
    byUser.close();
    byItem.close();
  }

  /** What a block of users yields. */
  private static final class Found {
    final int[] ends;
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

    private final Setting setting;
    private final Background background;
    private final GridShape shape;
    private final long most;
    private final FieldProgram program;
    private final int weightSlots;
    private final SparseCells[] observed;
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
      this.observed = background.observed().toArray(SparseCells[]::new);
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
      boolean[] marked = new boolean[shape.items()];
      for (int u = 0; u < users; u++) {
        int count = 0;
        for (SparseCells cells : observed) {
          int end = cells.userStart(first + u + 1);
          for (int p = cells.userStart(first + u); p < end; p++) {
            if (!marked[cells.itemAt(p)]) {
              marked[cells.itemAt(p)] = true;
              count++;
            }
          }
        }
        int[] items = new int[count];
        if (observed.length == 1) {
          int start = observed[0].userStart(first + u);
          for (int p = 0; p < count; p++) {
            items[p] = observed[0].itemAt(start + p);
            marked[items[p]] = false;
          }
        } else {
          int p = 0;
          for (int item = 0; item < marked.length; item++) {
            if (marked[item]) {
              marked[item] = false;
              items[p++] = item;
            }
          }
        }
        program.moveTo(run, first + u, items, count);
        add(worker, run, items, count, found);
        found.ends[u] = found.count;
      }
    }

    /** Scan a block of users for observed and hard cells, one user's tiles after another's. */
    private void scan(Worker worker, int first, int users, Found found) {
      CellRun listed = program.run(worker);
      boolean[] marked = new boolean[TileEvaluator.ITEMS];
      int[] items = new int[TileEvaluator.ITEMS];
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
            int count = mark(run, firstItem, marked, items);
            listed.select(run, items, count);
            add(worker, listed, items, count, byUser[run.user() - first]);
          });
      for (int u = 0; u < users; u++) {
        found.addAll(byUser[u]);
        found.ends[u] = found.count;
      }
    }

    /** List the exceptions among a run of consecutive cells. */
    private int mark(CellRun run, int firstItem, boolean[] marked, int[] items) {
      int width = run.count();
      Arrays.fill(marked, 0, width, background.everything());
      if (!background.everything()) {
        float bound = background.scoreBound();
        for (int slot = 0; slot < weightSlots; slot++) {
          float[] scores = run.scores(slot);
          for (int p = 0; p < width; p++) {
            marked[p] |= Math.abs(scores[p]) > bound;
          }
        }
        for (SparseCells cells : observed) {
          int end = cells.userStart(run.user() + 1);
          int p = cells.lowerBound(run.user(), firstItem);
          for (; p < end && cells.itemAt(p) < firstItem + width; p++) {
            marked[cells.itemAt(p) - firstItem] = true;
          }
        }
      }
      int count = 0;
      for (int p = 0; p < width; p++) {
        items[count] = firstItem + p;
        count += marked[p] ? 1 : 0;
      }
      return count;
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
      long[] userStarts = new long[shape.users() + 1];
      long[] itemStarts = new long[shape.items() + 1];
      int[] userAboves = new int[shape.users()];
      int[] itemAboves = new int[shape.items()];
      double[] userExcess = new double[shape.users()];
      double[] itemExcess = new double[shape.items()];
      Found whole = new Found(0);
      long before = 0;
      for (int block = 0; block < blocks.length; block++) {
        Found found = blocks[block];
        int p = 0;
        for (int u = 0; u < found.ends.length; u++) {
          int user = block * USERS + u;
          for (; p < found.ends[u]; p++) {
            int item = found.items[p];
            float excess = found.excess[p];
            itemStarts[item + 1]++;
            userExcess[user] += excess;
            itemExcess[item] += excess;
            if (excess >= 0) {
              userAboves[user]++;
              itemAboves[item]++;
            }
          }
          userStarts[user + 1] = before + found.ends[u];
        }
        before += found.count;
        whole.squares += found.squares;
        whole.widen(found);
      }
      for (int item = 0; item < shape.items(); item++) {
        itemStarts[item + 1] += itemStarts[item];
      }
      Levels levels = whole.levels();
      View byUser = new View(setting, userStarts, userAboves, levels);
      View byItem = null;
      try {
        byItem = new View(setting, itemStarts, itemAboves, levels);
        fill(byUser, byItem);
        return new Corrections(byUser, byItem, whole.squares, userExcess, itemExcess);
      } catch (RuntimeException | Error e) {
        byUser.close();
        if (byItem != null) {
          byItem.close();
        }
        throw e;
      }
    }

    private void fill(View byUser, View byItem) {
      long[] nextAbove = byItem.starts.clone();
      long[] nextBelow = byItem.starts.clone();
      for (int item = 0; item < shape.items(); item++) {
        nextBelow[item] += byItem.aboves[item];
      }
      for (int block = 0; block < blocks.length; block++) {
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
            boolean isAbove = excess >= 0;
            byUser.set(isAbove ? above++ : below++, item, excess, found.pull[p]);
            byItem.set(
                isAbove ? nextAbove[item]++ : nextBelow[item]++, user, excess, found.pull[p]);
          }
        }
      }
    }
  }
}
