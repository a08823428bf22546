package org.pecf.plugin.backend.cuda.ranking;

import java.util.List;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;
import org.pecf.plugin.backend.cuda.field.Marks;

/** A search for the highest-scored items of users, in tiles of whole rows. */
public final class CudaRanker {
  /** The longest list that is sorted in shared memory; longer ones in global memory. */
  private static final int SHARED_DEPTH = 4096;

  /** The blocks that sort at once in global memory. */
  private static final int BLOCKS = 256;

  private final SessionContext context;
  private final Device device;

  public CudaRanker(SessionContext context, Device device) {
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
    CudaFieldProgram program = CudaFieldProgram.of(fields);
    int size = Math.max(1, Integer.highestOneBit(2 * depth - 1));
    long sorting = size > SHARED_DEPTH ? 2L * BLOCKS * size * Long.BYTES : 0;
    Window row = new Window(0, 1, 0, shape.items());
    long rowBytes = program.bytes(row) + Marks.bytes(row) + depth * 2L * Integer.BYTES;
    RankedItems ranked = RankedItems.allocate(context.run().allocator(), request.users(), depth);
    try {
      return device.inTiles(
          "ranking " + shape.items() + " items",
          device.tiles().fieldRows(request.users(), shape.items()),
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
                        (index, stream) -> tiles.fetch(index, stream, ranked));
                    return ranked;
                  }));
    } catch (RuntimeException | Error e) {
      ranked.close();
      throw e;
    }
  }

  /** The tiles of a request, of which two take turns. */
  private final class Tiles {
    private final RankingRequest request;
    private final int depth;
    private final int size;
    private final int rows;
    private final DeviceCopies copies;
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
        CudaFieldProgram program,
        int depth,
        int size,
        int rows) {
      this.request = request;
      this.depth = depth;
      this.size = size;
      this.rows = rows;
      DeviceStream stream = device.stream(0);
      copies = new DeviceCopies(device, scratch);
      evaluator = new FieldEvaluator(context, stream, scratch, copies, program);
      request.excluded().forEach(copies::cells);
      Window largest = new Window(0, Math.min(rows, request.users()), 0, context.shape().items());
      for (int k = 0; k < 2; k++) {
        buffers[k] = evaluator.buffers(scratch, largest);
        barred[k] = scratch.ints(Marks.words(largest));
        workspace[k] =
            size > SHARED_DEPTH ? scratch.bytes((long) BLOCKS * size * Long.BYTES) : null;
        counts[k] = scratch.ints(largest.users());
        items[k] = scratch.ints((long) largest.users() * depth);
        scores[k] = scratch.floats((long) largest.users() * depth);
      }
      stream.await();
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

    void start(int index, DeviceStream stream) {
      context.run().cancellation().check();
      int turn = index & 1;
      Window window = window(index);
      evaluator.evaluate(stream, buffers[turn], window);
      boolean keep = false;
      for (SparseCells cells : request.excluded()) {
        copies.cells(cells).mark(stream, window, keep, barred[turn].slice());
        keep = true;
      }
      boolean shared = workspace[turn] == null;
      stream.launch(
          "rank_items",
          LaunchGrid.rows(shared ? window.users() : Math.min(BLOCKS, window.users())),
          shared ? size * Long.BYTES : 0,
          buffers[turn].output(0, window.cells()),
          request.candidates().isPresent()
              ? buffers[turn].output(1, window.cells())
              : DeviceSlice.NONE,
          request.excluded().isEmpty() ? DeviceSlice.NONE : barred[turn].slice(),
          window.users(),
          window.items(),
          depth,
          size,
          shared ? DeviceSlice.NONE : workspace[turn].slice(),
          counts[turn],
          items[turn],
          scores[turn]);
    }

    void fetch(int index, DeviceStream stream, RankedItems ranked) {
      int turn = index & 1;
      int users = window(index).users();
      int[] found = new int[users];
      int[] rankedItems = new int[users * depth];
      float[] rankedScores = new float[users * depth];
      stream.download(counts[turn], 0, found, users);
      stream.download(items[turn], 0, rankedItems, users * depth);
      stream.download(scores[turn], 0, rankedScores, users * depth);
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
