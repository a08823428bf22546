package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import java.util.Optional;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.base.leastsquares.Background;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.Lane;
import org.pecf.plugin.backend.cuda.device.Lane.Grid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldKernels;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;
import org.pecf.plugin.backend.cuda.field.FieldProgram;
import org.pecf.plugin.backend.cuda.field.Residents;
import org.pecf.plugin.backend.cuda.field.Window;

/**
 * Hold the exceptions to a background on the device, by user and by item: for each its weight's
 * excess {@code w - b} and its pull {@code w t - b t_b}, the excess on the right-hand side.
 *
 * <p>They are found in two passes over the grid, tile by tile: one counts them, one writes them.
 */
final class Corrections implements AutoCloseable {
  /** The bytes an exception takes, both views together. */
  static final long BYTES = 2L * (Integer.BYTES + 2 * Float.BYTES);

  private final Scratch scratch;
  private final View byUser;
  private final View byItem;
  private final long count;
  private final double squares;
  private final double[] userExcess;
  private final double[] itemExcess;

  private Corrections(
      Scratch scratch,
      View byUser,
      View byItem,
      long count,
      double squares,
      double[] userExcess,
      double[] itemExcess) {
    this.scratch = scratch;
    this.byUser = byUser;
    this.byItem = byItem;
    this.count = count;
    this.squares = squares;
    this.userExcess = userExcess;
    this.itemExcess = itemExcess;
  }

  /**
   * Locate one of the two compressed views.
   *
   * @param starts where each row's exceptions start, and where the last one's end: longs
   * @param others rows of the other side
   * @param excess the excess weights
   * @param pull the pulls
   */
  record View(DeviceMemory starts, DeviceMemory others, DeviceMemory excess, DeviceMemory pull) {
    static View allocate(Scratch scratch, Lane lane, long[] starts) {
      long count = starts[starts.length - 1];
      View view =
          new View(
              scratch.bytes((long) starts.length * Long.BYTES),
              scratch.ints(count),
              scratch.floats(count),
              scratch.floats(count));
      lane.upload(view.starts, starts);
      return view;
    }

    /** Return the address of the start of a row. */
    long start(int row) {
      return starts.address((long) row * Long.BYTES);
    }
  }

  /** Return the view of a side. */
  View of(Side side) {
    return side == Side.USERS ? byUser : byItem;
  }

  /** Return how many exceptions there are. */
  long count() {
    return count;
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
   * @return nothing if there are more
   */
  static Optional<Corrections> find(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      long most) {
    Finder finder = new Finder(context, device, request, background, most);
    GridShape shape = context.shape();
    return device.inTiles(
        "exceptions among " + shape.users() + " x " + shape.items() + " cells",
        CudaFieldKernels.usefulRows(shape.users(), shape.items()),
        1,
        0,
        finder.rowBytes(),
        rows -> device.inScratch(working -> finder.find(working, rows)));
  }

  @Override
  public void close() {
    scratch.close();
  }

  private static final class Finder {
    private final SessionContext context;
    private final Device device;
    private final Background background;
    private final GridShape shape;
    private final long most;
    private final FieldProgram program;
    private final int weightSlots;
    private final boolean plainScores;

    Finder(
        SessionContext context,
        Device device,
        LeastSquaresRequest request,
        Background background,
        long most) {
      this.context = context;
      this.device = device;
      this.background = background;
      this.shape = context.shape();
      this.most = most;
      // Compiled first, the weights' scores take the first slots.
      List<CellField> fields = List.of(request.weights(), request.targets(), background.targets());
      this.plainScores = !FieldProgram.of(List.of(background.targets())).slots().isEmpty();
      this.program = FieldProgram.of(plainScores ? fields : fields.subList(0, 2));
      this.weightSlots = FieldProgram.of(List.of(request.weights())).slots().size();
    }

    private boolean bounded() {
      return background.scoreBound() < Float.POSITIVE_INFINITY;
    }

    long rowBytes() {
      Window row = new Window(0, 1, 0, shape.items());
      return FieldEvaluator.bytes(program, row)
          + row.markWords() * Integer.BYTES
          + (background.everything() ? row.cells() * Float.BYTES : 0);
    }

    Optional<Corrections> find(Scratch working, int rows) {
      Lane lane = device.lane(0);
      Residents residents = new Residents(lane, working);
      FieldEvaluator evaluator = new FieldEvaluator(context, lane, working, residents, program);
      background.observed().forEach(residents::cells);
      Window largest = new Window(0, rows, 0, shape.items());
      Pass pass = new Pass(working, lane, residents, evaluator, largest);
      long[] userStarts = new long[shape.users() + 1];
      long[] itemStarts = new long[shape.items() + 1];
      if (!count(working, pass, rows, userStarts, itemStarts)) {
        return Optional.empty();
      }
      Scratch kept = new Scratch();
      try {
        Corrections corrections = write(kept, working, pass, rows, userStarts, itemStarts);
        lane.await();
        return Optional.of(corrections);
      } catch (RuntimeException | Error e) {
        device.settle();
        kept.close();
        throw e;
      }
    }

    private boolean count(
        Scratch working, Pass pass, int rows, long[] userStarts, long[] itemStarts) {
      Lane lane = pass.lane;
      DeviceMemory counts = working.ints(rows);
      DeviceMemory columns = working.bytes((long) shape.items() * Long.BYTES);
      lane.clear(columns, 2L * shape.items());
      for (int first = 0; first < shape.users(); first += rows) {
        Window window = pass.mark(first, rows);
        lane.launch(
            "count_rows",
            Grid.elements(32L * window.users()),
            0,
            pass.marks.address(),
            window.users(),
            window.items(),
            counts.address());
        lane.launch(
            "count_columns",
            Grid.elements(window.items()),
            0,
            pass.marks.address(),
            window.users(),
            window.items(),
            columns.address());
        int[] found = new int[window.users()];
        lane.download(counts, 0, found, found.length);
        for (int u = 0; u < found.length; u++) {
          userStarts[first + u + 1] = userStarts[first + u] + found[u];
        }
        if (userStarts[first + found.length] > most) {
          return false;
        }
      }
      long[] found = new long[shape.items()];
      lane.download(columns, found);
      for (int item = 0; item < found.length; item++) {
        itemStarts[item + 1] = itemStarts[item] + found[item];
      }
      return true;
    }

    private Corrections write(
        Scratch kept, Scratch working, Pass pass, int rows, long[] userStarts, long[] itemStarts) {
      Lane lane = pass.lane;
      View byUser = View.allocate(kept, lane, userStarts);
      View byItem = View.allocate(kept, lane, itemStarts);
      DeviceMemory next = working.bytes((long) itemStarts.length * Long.BYTES);
      lane.upload(next, itemStarts);
      DeviceMemory rowSquares = working.doubles(rows);
      DeviceMemory rowExcess = working.doubles(rows);
      DeviceMemory columnExcess = working.doubles(shape.items());
      lane.clear(columnExcess, 2L * shape.items());
      double squares = 0;
      double[] userExcess = new double[shape.users()];
      float plain = (float) (plainScores ? 0 : background.constantTarget());
      for (int first = 0; first < shape.users(); first += rows) {
        Window window = pass.mark(first, rows);
        pass.evaluate(window);
        long weights = pass.buffers.output(0, window.cells());
        long targets = pass.buffers.output(1, window.cells());
        long plains = plainScores ? pass.buffers.output(2, window.cells()) : 0;
        lane.launch(
            "write_rows",
            Grid.rows(window.users()),
            0,
            pass.marks.address(),
            byUser.start(first),
            background.weight(),
            weights,
            targets,
            plains,
            plain,
            0,
            window.users(),
            window.items(),
            byUser.others().address(),
            byUser.excess().address(),
            byUser.pull().address(),
            rowSquares.address(),
            rowExcess.address());
        lane.launch(
            "write_columns",
            Grid.elements(window.items()),
            0,
            pass.marks.address(),
            next.address(),
            background.weight(),
            weights,
            targets,
            plains,
            plain,
            first,
            window.users(),
            window.items(),
            byItem.others().address(),
            byItem.excess().address(),
            byItem.pull().address(),
            columnExcess.address());
        double[] found = new double[window.users()];
        lane.download(rowSquares, found);
        for (double square : found) {
          squares += square;
        }
        lane.download(rowExcess, found);
        System.arraycopy(found, 0, userExcess, first, found.length);
      }
      double[] itemExcess = new double[shape.items()];
      lane.download(columnExcess, itemExcess);
      return new Corrections(
          kept, byUser, byItem, userStarts[shape.users()], squares, userExcess, itemExcess);
    }

    /** What both passes compute in; on one lane, as the cells of an item follow each other. */
    private final class Pass {
      private final Lane lane;
      private final Residents residents;
      private final FieldEvaluator evaluator;
      private final FieldEvaluator.Buffers buffers;
      private final DeviceMemory marks;
      private final DeviceMemory zeros;

      Pass(
          Scratch working,
          Lane lane,
          Residents residents,
          FieldEvaluator evaluator,
          Window largest) {
        this.lane = lane;
        this.residents = residents;
        this.evaluator = evaluator;
        this.buffers = evaluator.buffers(working, largest);
        this.marks = working.ints(largest.markWords());
        this.zeros = background.everything() ? working.floats(largest.cells()) : null;
        if (zeros != null) {
          lane.clear(zeros, largest.cells());
        }
      }

      /** Mark the exceptions of a tile; its scores are in place then. */
      Window mark(int first, int rows) {
        context.run().cancellation().check();
        Window window = new Window(first, Math.min(rows, shape.users() - first), 0, shape.items());
        evaluator.score(lane, buffers, window);
        lane.clear(marks, window.markWords());
        if (zeros != null) {
          beyond(zeros.address(), -1, window);
          return window;
        }
        for (SparseCells cells : background.observed()) {
          Residents.CellSet set = residents.cells(cells);
          lane.launch(
              "mark_cells",
              Grid.rows(window.users()),
              0,
              set.starts().address(),
              set.items().address(),
              window.firstUser(),
              window.firstItem(),
              window.users(),
              window.items(),
              1,
              marks.address());
        }
        for (int slot = 0; slot < weightSlots && bounded(); slot++) {
          beyond(buffers.scores(slot, window.cells()), background.scoreBound(), window);
        }
        return window;
      }

      private void beyond(long scores, float bound, Window window) {
        lane.launch(
            "mark_beyond",
            Grid.elements(32 * window.markWords()),
            0,
            scores,
            bound,
            window.users(),
            window.items(),
            marks.address());
      }

      /** Evaluate weights and targets of a tile whose scores are in place. */
      void evaluate(Window window) {
        evaluator.evaluateScored(lane, buffers, window);
      }
    }
  }
}
