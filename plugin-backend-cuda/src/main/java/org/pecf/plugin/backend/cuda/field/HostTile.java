package org.pecf.plugin.backend.cuda.field;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.HostField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;

/** A tile that the host computes, because it calls a plugin. */
interface HostTile {
  /** The rows of a window that the host computes in one task. */
  int BAND = 32;

  /** A tile on the device, in memory that holds others too. */
  record Target(DeviceMemory memory, long offset) {}

  /**
   * Compute a window and copy it to the device.
   *
   * @param arguments the buffers of the fields that the tile is a function of; null if none
   */
  void compute(DeviceStream stream, FieldEvaluator.Buffers arguments, Window window, Target target);

  /**
   * Compute listed cells and copy them to the device.
   *
   * @param arguments the buffers of the fields that the tile is a function of; null if none
   */
  void compute(
      DeviceStream stream, FieldEvaluator.Buffers arguments, CellList cells, Target target);

  /** A range of rows. */
  interface Band {
    /** Compute rows. */
    void run(int first, int end);
  }

  /** Compute rows in parallel. */
  static void inBands(SessionContext context, int rows, Band task) {
    context
        .run()
        .parallelism()
        .forEach(
            (rows + BAND - 1) / BAND,
            (band, worker) -> task.run(band * BAND, Math.min(rows, (band + 1) * BAND)));
  }

  /** A field that a plugin fills in. */
  record Filled(SessionContext context, HostField field) implements HostTile {
    @Override
    public void compute(
        DeviceStream stream, FieldEvaluator.Buffers arguments, Window window, Target target) {
      long rowBytes = FloatMatrix.bytes(1, window.items());
      try (ArrowBuf tile = context.run().allocator().buffer(window.users() * rowBytes)) {
        inBands(
            context,
            window.users(),
            (first, end) -> {
              // A view of the tile: it is not closed.
              ArrowBuf band = tile.slice(first * rowBytes, (end - first) * rowBytes);
              field.fill(
                  window.firstUser() + first,
                  window.firstItem(),
                  FloatMatrix.borrow(band, end - first, window.items()));
            });
        stream.upload(
            target.memory, target.offset, tile.memoryAddress(), window.users() * rowBytes);
      }
    }

    @Override
    public void compute(
        DeviceStream stream, FieldEvaluator.Buffers arguments, CellList cells, Target target) {
      float[] values = new float[cells.count()];
      for (int k = 0; k < values.length; k++) {
        values[k] = field.valueAt(cells.users()[k], cells.items()[k]);
      }
      stream.upload(target.memory, target.offset, values);
    }
  }

  /** A plugin's function of fields that the device computes. */
  record Applied(SessionContext context, CellFunction function, FieldEvaluator evaluator)
      implements HostTile {
    @Override
    public void compute(
        DeviceStream stream, FieldEvaluator.Buffers arguments, Window window, Target target) {
      evaluator.evaluate(stream, arguments, window);
      apply(stream, arguments, window.users(), window.items(), target);
    }

    @Override
    public void compute(
        DeviceStream stream, FieldEvaluator.Buffers arguments, CellList cells, Target target) {
      evaluator.evaluate(stream, arguments, cells);
      apply(stream, arguments, 1, cells.count(), target);
    }

    private void apply(
        DeviceStream stream,
        FieldEvaluator.Buffers arguments,
        int rows,
        int columns,
        Target target) {
      int count = evaluator.program().outputs();
      long bytes = FloatMatrix.bytes(rows, columns);
      try (ArrowBuf inputs = context.run().allocator().buffer(Math.max(1, count * bytes));
          ArrowBuf values = context.run().allocator().buffer(bytes)) {
        stream.download(arguments.outputs(), 0, inputs.memoryAddress(), count * bytes);
        inBands(
            context,
            rows,
            (first, end) -> {
              float[] cell = new float[count];
              long last = FloatMatrix.bytes(end, columns);
              for (long at = FloatMatrix.bytes(first, columns); at < last; at += Float.BYTES) {
                for (int k = 0; k < count; k++) {
                  cell[k] =
                      Float.intBitsToFloat(
                          MemoryUtil.getInt(inputs.memoryAddress() + k * bytes + at));
                }
                MemoryUtil.putInt(
                    values.memoryAddress() + at, Float.floatToRawIntBits(function.value(cell)));
              }
            });
        stream.upload(target.memory, target.offset, values.memoryAddress(), bytes);
      }
    }
  }
}
