package org.pecf.engine.data;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.arrow.vector.ValueVector;
import org.pecf.api.memory.SparseCells;

/** The resources of an unfinished construction, which are closed, last first, unless released. */
final class Cleanup implements AutoCloseable {
  private final Deque<Runnable> closers = new ArrayDeque<>();

  OffHeapColumn add(OffHeapColumn column) {
    closers.push(column::close);
    return column;
  }

  <V extends ValueVector> V add(V vector) {
    closers.push(vector::close);
    return vector;
  }

  IdMap add(IdMap map) {
    closers.push(map::close);
    return map;
  }

  SparseCells add(SparseCells cells) {
    closers.push(cells::close);
    return cells;
  }

  /** Release everything; closing then does nothing. */
  void release() {
    closers.clear();
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
