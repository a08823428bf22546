package org.pecf.plugin.backend.cuda.ranking;

import java.util.List;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
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

/** Find the highest-scored items of users on the device, a tile of whole rows after the other. */
public final class Ranker {
  /** How many lists are sorted in shared memory at most; longer ones in global memory. */
  private static final int SHARED_DEPTH = 4096;

  /** How many blocks sort at once in global memory. */
  private static final int BLOCKS = 256;

  private final SessionContext context;
  private final Device device;

  public Ranker(SessionContext context, Device device) {
    this.context = context;
    this.device = device;
  }

  /** Answer a request. */
  public RankedItems rank(RankingRequest request) {
    context.run().cancellation().check();
    GridShape shape = context.shape();
    int depth = Math.min(request.depth(), shape.items());
    List<CellField> fields =
        request.candidates().isPresent()
            ? List.of(request.scores(), request.candidates().get())
            : List.of(request.scores());
    FieldProgram program = FieldProgram.of(fields);
    int size = Math.max(1, Integer.highestOneBit(2 * depth - 1));
    long sorting = size > SHARED_DEPTH ? 2L * BLOCKS * size * Long.BYTES : 0;
    Window row = new Window(0, 1, 0, shape.items());
    long rowBytes =
        FieldEvaluator.bytes(program, row)
            + row.markWords() * Integer.BYTES
            + depth * 2L * Integer.BYTES;
    RankedItems ranked = RankedItems.allocate(context.run().allocator(), request.users(), depth);
    try {
      return device.inTiles(
          "ranking " + shape.items() + " items",
          CudaFieldKernels.usefulRows(request.users(), shape.items()),
          1,
          sorting,
          2 * rowBytes,
          rows ->
              device.inScratch(
                  scratch -> {
                    Tiles tiles = new Tiles(scratch, request, program, depth, size, rows);
                    device.inTurns(
                        tiles.count(),
                        tiles::start,
                        (index, lane) -> tiles.fetch(index, lane, ranked));
                    return ranked;
                  }));
    } catch (RuntimeException | Error e) {
      ranked.close();
      throw e;
    }
  }

  /** What the tiles of a request are computed in; two take turns. */
  private final class Tiles {
    private final RankingRequest request;
    private final int depth;
    private final int size;
    private final int rows;
    private final Residents residents;
    private final FieldEvaluator evaluator;
    private final FieldEvaluator.Buffers[] buffers = new FieldEvaluator.Buffers[2];
    private final DeviceMemory[] barred = new DeviceMemory[2];
    private final DeviceMemory[] workspace = new DeviceMemory[2];
    private final DeviceMemory[] counts = new DeviceMemory[2];
    private final DeviceMemory[] items = new DeviceMemory[2];
    private final DeviceMemory[] scores = new DeviceMemory[2];

    Tiles(
        Scratch scratch,
        RankingRequest request,
        FieldProgram program,
        int depth,
        int size,
        int rows) {
      this.request = request;
      this.depth = depth;
      this.size = size;
      this.rows = rows;
      Lane lane = device.lane(0);
      residents = new Residents(lane, scratch);
      evaluator = new FieldEvaluator(context, lane, scratch, residents, program);
      request.excluded().forEach(residents::cells);
      Window largest = new Window(0, Math.min(rows, request.users()), 0, context.shape().items());
      for (int k = 0; k < 2; k++) {
        buffers[k] = evaluator.buffers(scratch, largest);
        barred[k] = scratch.ints(largest.markWords());
        workspace[k] =
            size > SHARED_DEPTH ? scratch.bytes((long) BLOCKS * size * Long.BYTES) : null;
        counts[k] = scratch.ints(largest.users());
        items[k] = scratch.ints((long) largest.users() * depth);
        scores[k] = scratch.floats((long) largest.users() * depth);
      }
      lane.await();
    }

    int count() {
      return (request.users() + rows - 1) / rows;
    }

    private Window window(int index) {
      int first = index * rows;
      return new Window(
          request.firstUser() + first,
          Math.min(rows, request.users() - first),
          0,
          context.shape().items());
    }

    void start(int index, Lane lane) {
      context.run().cancellation().check();
      int turn = index & 1;
      Window window = window(index);
      evaluator.evaluate(lane, buffers[turn], window);
      int keep = 0;
      for (SparseCells cells : request.excluded()) {
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
            keep,
            barred[turn].address());
        keep = 1;
      }
      boolean shared = workspace[turn] == null;
      lane.launch(
          "rank_items",
          Grid.rows(shared ? window.users() : Math.min(BLOCKS, window.users())),
          shared ? size * Long.BYTES : 0,
          buffers[turn].output(0, window.cells()),
          request.candidates().isPresent() ? buffers[turn].output(1, window.cells()) : 0L,
          request.excluded().isEmpty() ? 0L : barred[turn].address(),
          window.users(),
          window.items(),
          depth,
          size,
          shared ? 0L : workspace[turn].address(),
          counts[turn].address(),
          items[turn].address(),
          scores[turn].address());
    }

    void fetch(int index, Lane lane, RankedItems ranked) {
      int turn = index & 1;
      int users = window(index).users();
      int[] found = new int[users];
      int[] rankedItems = new int[users * depth];
      float[] rankedScores = new float[users * depth];
      lane.download(counts[turn], 0, found, users);
      lane.download(items[turn], 0, rankedItems, users * depth);
      lane.download(scores[turn], 0, rankedScores, users * depth);
      int[] rowItems = new int[depth];
      float[] rowScores = new float[depth];
      for (int row = 0; row < users; row++) {
        System.arraycopy(rankedItems, row * depth, rowItems, 0, found[row]);
        System.arraycopy(rankedScores, row * depth, rowScores, 0, found[row]);
        ranked.set(index * rows + row, found[row], rowItems, rowScores);
      }
    }
  }
}
