package org.pecf.plugin.backend.cpu.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.memory.GridShape;
import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.Window;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/** A source of tiles of a field. */
interface FieldTiles extends AutoCloseable {
  /** Return a tile, valid until the worker asks for another. */
  MatrixSlice tile(Worker worker, Window window);

  @Override
  void close();

  /** A field that is kept whole, users x items, row after row. */
  final class Kept implements FieldTiles {
    private final GridShape shape;
    private final OffHeapFloats values;

    Kept(BufferAllocator allocator, GridShape shape) {
      this.shape = shape;
      this.values = OffHeapFloats.allocate(allocator, shape.cells());
    }

    /**
     * Write the values of consecutive cells of a user.
     *
     * @param source Not modified.
     */
    void write(int user, int firstItem, float[] source, int count) {
      values.write((long) user * shape.items() + firstItem, source, 0, count);
    }

    @Override
    public MatrixSlice tile(Worker worker, Window window) {
      long start = (long) window.firstUser() * shape.items() + window.firstItem();
      long length = (window.users() - 1L) * shape.items() + window.items();
      return MatrixSlice.of(
          values.slice(start, length), window.users(), window.items(), shape.items());
    }

    @Override
    public void close() {
      values.close();
    }
  }

  /** A field that is evaluated tile by tile, whenever a tile is needed. */
  final class Evaluated implements FieldTiles {
    private final FieldProgram program;

    Evaluated(FieldProgram program) {
      this.program = program;
    }

    /** The memory of one worker's tile. */
    private static final class Scratch {
      private final ScratchFloats tile;
      private final float[] values = new float[TileEvaluator.ITEMS];

      Scratch(Worker worker) {
        tile = worker.scratch();
      }
    }

    @Override
    public MatrixSlice tile(Worker worker, Window window) {
      Scratch scratch = worker.kernel(Scratch.class, Scratch::new);
      OffHeapFloats tile = scratch.tile.floats(window.cells());
      TileEvaluator.visit(
          program,
          worker,
          window,
          (run, item) -> {
            program.evaluate(0, run, scratch.values);
            long row = run.user() - window.firstUser();
            tile.write(
                row * window.items() + item - window.firstItem(), scratch.values, 0, run.count());
          });
      return MatrixSlice.of(tile.slice(0, window.cells()), window.users(), window.items());
    }

    @Override
    public void close() {
      // Scratch memory belongs to the worker.
    }
  }
}
