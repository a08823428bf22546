package org.pecf.plugin.backend.cuda.field;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;

/** The kernels of fields, computed in tiles of whole rows. */
public final class CudaFieldKernels implements FieldKernels {
  /** The listed cells that are evaluated at once. */
  private static final int LISTED = 1 << 20;

  private final SessionContext context;
  private final Device device;

  public CudaFieldKernels(SessionContext context, Device device) {
    this.context = context;
    this.device = device;
  }

  @Override
  public double[] sums(List<CellField> fields) {
    context.run().cancellation().check();
    if (fields.isEmpty()) {
      return new double[0];
    }
    CudaFieldProgram program = CudaFieldProgram.of(fields);
    GridShape shape = context.shape();
    return device.inTiles(
        "sums over " + shape.users() + " x " + shape.items() + " cells",
        device.tiles().fieldRows(shape.users(), shape.items()),
        1,
        0,
        2 * program.bytes(new Window(0, 1, 0, shape.items())),
        rows -> device.inScratch(scratch -> sums(scratch, program, rows)));
  }

  private double[] sums(Scratch scratch, CudaFieldProgram program, int rows) {
    GridShape shape = context.shape();
    int fields = program.outputs();
    Tiles tiles = new Tiles(scratch, program, 0, shape.users(), 0, shape.items(), rows);
    DeviceMemory[] rowSums = {
      scratch.doubles((long) fields * rows), scratch.doubles((long) fields * rows)
    };
    double[][] sums = new double[fields][shape.users()];
    device.inTurns(
        tiles.count(),
        (index, stream) -> {
          Window window = tiles.evaluate(index, stream);
          for (int k = 0; k < fields; k++) {
            stream.launch(
                "sum_rows",
                LaunchGrid.rows(window.users()),
                0,
                tiles.buffers(index).output(k, window.cells()),
                DeviceSlice.NONE,
                window.users(),
                window.items(),
                rowSums[index & 1].from((long) k * window.users() * Double.BYTES));
          }
        },
        (index, stream) -> {
          Window window = tiles.window(index);
          double[] found = new double[fields * window.users()];
          stream.download(rowSums[index & 1], found);
          for (int k = 0; k < fields; k++) {
            System.arraycopy(
                found, k * window.users(), sums[k], window.firstUser(), window.users());
          }
        });
    double[] totals = new double[fields];
    for (int k = 0; k < fields; k++) {
      for (double sum : sums[k]) {
        totals[k] += sum;
      }
    }
    return totals;
  }

  @Override
  public void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile) {
    context.run().cancellation().check();
    CudaFieldProgram program = CudaFieldProgram.of(List.of(field));
    if (tile.rows() == 0 || tile.columns() == 0) {
      return;
    }
    device.inTiles(
        "a tile of " + tile.rows() + " x " + tile.columns() + " cells",
        device.tiles().fieldRows(tile.rows(), tile.columns()),
        1,
        0,
        2 * program.bytes(new Window(0, 1, 0, tile.columns())),
        rows ->
            device.inScratch(
                scratch -> {
                  Tiles tiles =
                      new Tiles(
                          scratch,
                          program,
                          firstUser,
                          tile.rows(),
                          firstItem,
                          tile.columns(),
                          rows);
                  device.inTurns(
                      tiles.count(),
                      tiles::evaluate,
                      (index, stream) ->
                          stream.download(
                              tiles.buffers(index).outputs(),
                              0,
                              tile.writable()
                                  .rowAddress(tiles.window(index).firstUser() - firstUser),
                              tiles.window(index).cells() * Float.BYTES));
                  return tile;
                }));
  }

  /** The tiles of a rectangle, of whole rows, which take turns on two streams. */
  private final class Tiles {
    private final FieldEvaluator evaluator;
    private final FieldEvaluator.Buffers[] buffers;
    private final Window all;
    private final int rows;

    Tiles(
        Scratch scratch,
        CudaFieldProgram program,
        int firstUser,
        int users,
        int firstItem,
        int items,
        int rows) {
      this.all = new Window(firstUser, users, firstItem, items);
      this.rows = rows;
      DeviceCopies copies = new DeviceCopies(device, scratch);
      evaluator = new FieldEvaluator(context, device.stream(0), scratch, copies, program);
      Window largest = new Window(0, Math.min(rows, users), 0, items);
      buffers =
          new FieldEvaluator.Buffers[] {
            evaluator.buffers(scratch, largest), evaluator.buffers(scratch, largest)
          };
      device.stream(0).await();
    }

    int count() {
      return (all.users() + rows - 1) / rows;
    }

    Window window(int index) {
      int first = index * rows;
      return new Window(
          all.firstUser() + first,
          Math.min(rows, all.users() - first),
          all.firstItem(),
          all.items());
    }

    FieldEvaluator.Buffers buffers(int index) {
      return buffers[index & 1];
    }

    Window evaluate(int index, DeviceStream stream) {
      context.run().cancellation().check();
      Window window = window(index);
      evaluator.evaluate(stream, buffers(index), window);
      return window;
    }
  }

  @Override
  public void gather(CellField field, SparseCells cells, ArrowBuf values) {
    context.run().cancellation().check();
    if (cells.count() == 0) {
      return;
    }
    CudaFieldProgram program = CudaFieldProgram.of(List.of(field));
    device.inTiles(
        cells.count() + " cells",
        Math.min(LISTED, cells.count()),
        1024,
        0,
        program.bytes(new Window(0, 1, 0, 32)) / 32 + 2L * Integer.BYTES,
        listed ->
            device.inScratch(
                scratch -> {
                  gather(scratch, program, cells, listed, values);
                  return values;
                }));
  }

  private void gather(
      Scratch scratch, CudaFieldProgram program, SparseCells cells, int most, ArrowBuf values) {
    DeviceStream stream = device.stream(0);
    FieldEvaluator evaluator =
        new FieldEvaluator(context, stream, scratch, new DeviceCopies(device, scratch), program);
    int listed = Math.min(most, cells.count());
    FieldEvaluator.Buffers buffers = evaluator.buffers(scratch, new Window(0, 1, 0, listed));
    DeviceMemory deviceUsers = scratch.ints(listed);
    DeviceMemory deviceItems = scratch.ints(listed);
    int user = 0;
    for (int start = 0; start < cells.count(); start += listed) {
      context.run().cancellation().check();
      int count = Math.min(listed, cells.count() - start);
      int[] users = new int[count];
      int[] items = new int[count];
      for (int p = 0; p < count; p++) {
        while (cells.userStart(user + 1) <= start + p) {
          user++;
        }
        users[p] = user;
        items[p] = cells.itemAt(start + p);
      }
      stream.upload(deviceUsers, users);
      stream.upload(deviceItems, items);
      evaluator.evaluate(
          stream,
          buffers,
          new CellList(count, users, items, deviceUsers.slice(), deviceItems.slice()));
      stream.download(
          buffers.outputs(),
          0,
          values.memoryAddress() + (long) start * Float.BYTES,
          (long) count * Float.BYTES);
    }
  }
}
