package org.pecf.plugin.backend.cuda.field;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.memory.FactorModel;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/**
 * The evaluation of a program on windows of the grid, or at listed cells: scores by cuBLAS, marks
 * from sets of cells, then everything else in one pass.
 *
 * <p>Fields of plugins are computed on the host and copied; the arguments of a plugin's function
 * are computed on the device first.
 */
public final class FieldEvaluator {
  /** The cells that a thread computes at once: CELLS of the kernels' source. */
  private static final int THREAD_CELLS = 4;

  /** The fewest threads of a block, and the shared memory that leaves room for more. */
  private static final int LEAST_THREADS = 8;

  private static final int SHARED_BYTES = 48 << 10;

  private final CudaFieldProgram program;
  private final DeviceCopies copies;
  private final DeviceMemory code;
  private final DeviceMemory constants;
  private final List<HostTile> hostTiles = new ArrayList<>();

  /**
   * Copy a program to the device.
   *
   * @param stream the stream that copies; other streams must wait for it before they evaluate
   */
  public FieldEvaluator(
      SessionContext context,
      DeviceStream stream,
      Scratch scratch,
      DeviceCopies copies,
      CudaFieldProgram program) {
    this.program = program;
    this.copies = copies;
    this.code = scratch.ints(program.code().length);
    stream.upload(code, program.code());
    this.constants = scratch.floats(program.constants().length);
    stream.upload(constants, 0, program.constants());
    program.slots().forEach(copies::prepare);
    program.sets().forEach(copies::cells);
    for (CellField field : program.hostFields()) {
      hostTiles.add(
          field instanceof Apply apply
              ? new HostTile.Applied(
                  context,
                  apply.function(),
                  new FieldEvaluator(
                      context, stream, scratch, copies, CudaFieldProgram.of(apply.arguments())))
              : new HostTile.Filled(context, (HostField) field));
    }
  }

  /** Return the program. */
  public CudaFieldProgram program() {
    return program;
  }

  /** The memory in which one stream evaluates windows, up to a number of cells at a time. */
  public final class Buffers {
    private final DeviceMemory tiles;
    private final DeviceMemory marks;
    private final DeviceMemory outputs;
    private final List<Buffers> arguments = new ArrayList<>();

    private Buffers(Scratch scratch, Window window) {
      tiles = scratch.floats(program.tiles() * window.cells());
      marks = scratch.ints(program.sets().size() * Marks.words(window));
      outputs = scratch.floats(program.outputs() * window.cells());
      for (HostTile tile : hostTiles) {
        arguments.add(
            tile instanceof HostTile.Applied applied
                ? applied.evaluator().buffers(scratch, window)
                : null);
      }
    }

    /** Return the values of a field at the cells evaluated last. */
    public DeviceSlice output(int field, long cells) {
      return outputs.slice(field * cells * Float.BYTES, cells * Float.BYTES);
    }

    /** Return the values of a field in the window evaluated last. */
    public DeviceMatrix output(int field, Window window) {
      return DeviceMatrix.of(output(field, window.cells()), window.users(), window.items());
    }

    /** Return the memory of all fields. */
    public DeviceMemory outputs() {
      return outputs;
    }

    /** Return the scores of a combination at the cells evaluated last. */
    public DeviceSlice scores(int slot, long cells) {
      return tiles.slice(slot * cells * Float.BYTES, cells * Float.BYTES);
    }

    private DeviceSlice marks(int set, long words) {
      return marks.slice(set * words * Integer.BYTES, words * Integer.BYTES);
    }

    /** Return where the host's tile of a number goes. */
    private HostTile.Target target(int number, long cells) {
      return new HostTile.Target(tiles, (program.slots().size() + number) * cells * Float.BYTES);
    }
  }

  /**
   * Allocate the memory of one stream.
   *
   * @param window the largest window to be evaluated
   */
  public Buffers buffers(Scratch scratch, Window window) {
    return new Buffers(scratch, window);
  }

  /** Compute the program's scores on a window. */
  public void score(DeviceStream stream, Buffers buffers, Window window) {
    for (int slot = 0; slot < program.slots().size(); slot++) {
      ScoreCombination combination = program.slots().get(slot);
      if (copies.kept().signOf(combination) != 0) {
        read(stream, buffers, slot, DeviceSlice.NONE, DeviceSlice.NONE, window);
        continue;
      }
      copies.prepareLate(combination);
      DeviceMatrix scores =
          DeviceMatrix.of(buffers.scores(slot, window.cells()), window.users(), window.items());
      for (int k = 0; k < combination.size(); k++) {
        FactorModel model = combination.model(k);
        DeviceMatrix users = copies.matrix(model.users());
        DeviceMatrix items = copies.matrix(model.items());
        stream
            .algebra()
            .multiply(
                combination.coefficient(k),
                users.part(window.firstUser(), window.users(), 0, model.rank()),
                items.part(window.firstItem(), window.items(), 0, model.rank()).transpose(),
                k == 0 ? 0 : 1,
                scores);
      }
    }
  }

  /**
   * Read scores that are kept.
   *
   * @param users the users of listed cells, or none on a window
   * @param items the items of listed cells, or none on a window
   */
  private void read(
      DeviceStream stream,
      Buffers buffers,
      int slot,
      DeviceSlice users,
      DeviceSlice items,
      Window window) {
    stream.launch(
        "read_scores",
        LaunchGrid.elements(window.cells()),
        0,
        copies.kept().scores(),
        copies.kept().items(),
        (float) copies.kept().signOf(program.slots().get(slot)),
        users,
        items,
        window.firstUser(),
        window.firstItem(),
        window.users(),
        window.items(),
        buffers.scores(slot, window.cells()));
  }

  /** Evaluate all fields on a window, scores included. */
  public void evaluate(DeviceStream stream, Buffers buffers, Window window) {
    score(stream, buffers, window);
    evaluateScored(stream, buffers, window);
  }

  /** Evaluate all fields on a window whose scores are computed. */
  public void evaluateScored(DeviceStream stream, Buffers buffers, Window window) {
    long words = Marks.words(window);
    for (int set = 0; set < program.sets().size(); set++) {
      copies.cells(program.sets().get(set)).mark(stream, window, false, buffers.marks(set, words));
    }
    for (int k = 0; k < hostTiles.size(); k++) {
      hostTiles
          .get(k)
          .compute(stream, buffers.arguments.get(k), window, buffers.target(k, window.cells()));
    }
    launch(stream, buffers, words, DeviceSlice.NONE, DeviceSlice.NONE, window);
  }

  /**
   * Evaluate all fields at listed cells.
   *
   * @param buffers the memory for a window of one user and as many items
   */
  public void evaluate(DeviceStream stream, Buffers buffers, CellList cells) {
    Window row = new Window(0, 1, 0, cells.count());
    for (int slot = 0; slot < program.slots().size(); slot++) {
      ScoreCombination combination = program.slots().get(slot);
      if (copies.kept().signOf(combination) != 0) {
        read(stream, buffers, slot, cells.deviceUsers(), cells.deviceItems(), row);
        continue;
      }
      copies.prepareLate(combination);
      for (int k = 0; k < combination.size(); k++) {
        FactorModel model = combination.model(k);
        stream.launch(
            "score_cells",
            LaunchGrid.elements(cells.count() * 32L),
            0,
            copies.matrix(model.users()).floats(),
            copies.matrix(model.items()).floats(),
            model.rank(),
            combination.coefficient(k),
            cells.deviceUsers(),
            cells.deviceItems(),
            cells.count(),
            k == 0 ? 0 : 1,
            buffers.scores(slot, cells.count()));
      }
    }
    long words = Marks.words(row);
    for (int set = 0; set < program.sets().size(); set++) {
      DeviceCopies.CellSet members = copies.cells(program.sets().get(set));
      stream.launch(
          "test_cells",
          LaunchGrid.elements(cells.count()),
          0,
          members.starts(),
          members.items(),
          cells.deviceUsers(),
          cells.deviceItems(),
          cells.count(),
          buffers.marks(set, words));
    }
    for (int k = 0; k < hostTiles.size(); k++) {
      hostTiles
          .get(k)
          .compute(stream, buffers.arguments.get(k), cells, buffers.target(k, cells.count()));
    }
    launch(stream, buffers, words, cells.deviceUsers(), cells.deviceItems(), row);
  }

  /**
   * Launch the program.
   *
   * @param users the users of listed cells, or none on a window
   * @param items the items of listed cells, or none on a window
   */
  private void launch(
      DeviceStream stream,
      Buffers buffers,
      long markStride,
      DeviceSlice users,
      DeviceSlice items,
      Window window) {
    int threadBytes = (program.depth() + 1) * THREAD_CELLS * Float.BYTES;
    LaunchGrid grid = grid(window, threadBytes);
    stream.launch(
        "evaluate_fields",
        grid,
        threadBytes * grid.threadsX(),
        code,
        program.length(),
        constants,
        buffers.tiles,
        window.cells(),
        buffers.marks,
        markStride,
        users,
        items,
        window.firstUser(),
        window.firstItem(),
        window.users(),
        window.items(),
        buffers.outputs,
        window.cells());
  }

  /**
   * Return the blocks and threads of a launch.
   *
   * @param threadBytes the shared memory of a thread
   */
  private static LaunchGrid grid(Window window, int threadBytes) {
    int threads = LaunchGrid.THREADS;
    // A deep stack leaves room for fewer threads, a short row has work for fewer.
    while (threads > LEAST_THREADS && (long) threadBytes * threads > SHARED_BYTES
        || threads > 32 && threads / 2 * THREAD_CELLS >= window.items()) {
      threads /= 2;
    }
    int cells = threads * THREAD_CELLS;
    return new LaunchGrid(
        Math.min(LaunchGrid.MOST_BLOCKS, (window.items() + cells - 1) / cells),
        Math.min(window.users(), LaunchGrid.MOST_BLOCKS_Y),
        threads,
        1);
  }
}
