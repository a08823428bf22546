package org.pecf.plugin.backend.cpu.leastsquares;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.memory.GridShape;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;
import org.pecf.plugin.backend.cpu.field.FieldProgram;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/** Give out tiles of a field: from memory if all of it was kept, else evaluated anew. */
interface TileSource extends AutoCloseable {
  /** Return the address of the first value of a tile, valid until the worker asks for another. */
  long tile(Worker worker, int firstUser, int users, int firstItem, int items);

  /** Return how many floats a row of a tile of so many items is from the next. */
  int stride(int items);

  @Override
  void close();

  /** Keep a field whole, users x items, row after row. */
  final class Kept implements TileSource {
    private final GridShape shape;
    private final NativeFloats values;

    Kept(BufferAllocator allocator, GridShape shape) {
      this.shape = shape;
      this.values = NativeFloats.allocate(allocator, shape.cells());
    }

    /** Return the values, to be written before tiles are asked for. */
    NativeFloats values() {
      return values;
    }

    @Override
    public long tile(Worker worker, int firstUser, int users, int firstItem, int items) {
      return values.address((long) firstUser * shape.items() + firstItem);
    }

    @Override
    public int stride(int items) {
      return shape.items();
    }

    @Override
    public void close() {
      values.close();
    }
  }

  /** Evaluate a field tile by tile. */
  final class Evaluated implements TileSource {
    private final FieldProgram program;
    private final String purpose;

    Evaluated(FieldProgram program, String purpose) {
      this.program = program;
      this.purpose = purpose;
    }

    @Override
    public long tile(Worker worker, int firstUser, int users, int firstItem, int items) {
      NativeFloats tile = worker.offHeap(purpose, (long) users * items);
      float[] values = worker.heap("tile.values", TileEvaluator.ITEMS);
      TileEvaluator.visit(
          program,
          worker,
          program.run(worker),
          firstUser,
          users,
          firstItem,
          items,
          (run, item) -> {
            program.evaluate(0, run, values);
            long row = run.user() - firstUser;
            tile.write(row * items + item - firstItem, values, 0, run.count());
          });
      return tile.address(0);
    }

    @Override
    public int stride(int items) {
      return items;
    }

    @Override
    public void close() {
      // Scratch belongs to the worker.
    }
  }
}
