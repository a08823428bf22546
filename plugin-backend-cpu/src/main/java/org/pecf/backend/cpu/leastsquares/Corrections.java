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
 */
final class Corrections implements AutoCloseable {
  /** The bytes an exception takes, both views together. */
  static final long BYTES = 2L * (Integer.BYTES + 2 * Float.BYTES);

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
    private final NativeInts others;
    private final NativeFloats excess;
    private final NativeFloats pull;

    private View(Setting setting, long[] starts) {
      long count = starts[starts.length - 1];
      this.starts = starts;
      this.others = NativeInts.allocate(setting.allocator(), count);
      this.excess = NativeFloats.allocate(setting.allocator(), count);
      this.pull = NativeFloats.allocate(setting.allocator(), count);
    }

    /** Return how many exceptions a row has. */
    int count(int row) {
      return Math.toIntExact(starts[row + 1] - starts[row]);
    }

    /**
     * Copy a row's exceptions.
     *
     * @param rowOthers receives the rows of the other side. Modified.
     * @param rowExcess receives the excess weights. Modified.
     * @param rowPull receives the pulls. Modified.
     */
    void read(int row, int[] rowOthers, float[] rowExcess, float[] rowPull) {
      int count = count(row);
      others.read(starts[row], rowOthers, count);
      excess.read(starts[row], rowExcess, 0, count);
      pull.read(starts[row], rowPull, 0, count);
    }

    @Override
    public void close() {
      others.close();
      excess.close();
      pull.close();
    }
  }

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

    Found(int users) {
      ends = new int[users];
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
        Found one = byUser[u];
        found.ensure(one.count);
        System.arraycopy(one.items, 0, found.items, found.count, one.count);
        System.arraycopy(one.excess, 0, found.excess, found.count, one.count);
        System.arraycopy(one.pull, 0, found.pull, found.count, one.count);
        found.count += one.count;
        found.squares += one.squares;
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
        found.items[found.count + p] = items[p];
        found.excess[found.count + p] = (float) (weights[p] - b);
        found.pull[found.count + p] = (float) ((double) weights[p] * targets[p] - b * plain[p]);
        found.squares +=
            (double) weights[p] * targets[p] * targets[p] - b * (double) plain[p] * plain[p];
      }
      found.count += count;
    }

    /** Join the blocks, and mirror them by item. */
    Corrections collect() {
      long[] userStarts = new long[shape.users() + 1];
      long[] itemStarts = new long[shape.items() + 1];
      double[] userExcess = new double[shape.users()];
      double[] itemExcess = new double[shape.items()];
      double squares = 0;
      long before = 0;
      for (int block = 0; block < blocks.length; block++) {
        Found found = blocks[block];
        int p = 0;
        for (int u = 0; u < found.ends.length; u++) {
          int user = block * USERS + u;
          for (; p < found.ends[u]; p++) {
            itemStarts[found.items[p] + 1]++;
            userExcess[user] += found.excess[p];
            itemExcess[found.items[p]] += found.excess[p];
          }
          userStarts[user + 1] = before + found.ends[u];
        }
        before += found.count;
        squares += found.squares;
      }
      for (int item = 0; item < shape.items(); item++) {
        itemStarts[item + 1] += itemStarts[item];
      }
      View byUser = new View(setting, userStarts);
      View byItem = null;
      try {
        byItem = new View(setting, itemStarts);
        fill(byUser, byItem);
        return new Corrections(byUser, byItem, squares, userExcess, itemExcess);
      } catch (RuntimeException | Error e) {
        byUser.close();
        if (byItem != null) {
          byItem.close();
        }
        throw e;
      }
    }

    private void fill(View byUser, View byItem) {
      long[] next = byItem.starts.clone();
      for (int block = 0; block < blocks.length; block++) {
        Found found = blocks[block];
        blocks[block] = null;
        long start = byUser.starts[block * USERS];
        byUser.others.write(start, found.items, found.count);
        byUser.excess.write(start, found.excess, 0, found.count);
        byUser.pull.write(start, found.pull, 0, found.count);
        int p = 0;
        for (int u = 0; u < found.ends.length; u++) {
          for (; p < found.ends[u]; p++) {
            long at = next[found.items[p]]++;
            byItem.others.set(at, block * USERS + u);
            byItem.excess.set(at, found.excess[p]);
            byItem.pull.set(at, found.pull[p]);
          }
        }
      }
    }
  }
}
