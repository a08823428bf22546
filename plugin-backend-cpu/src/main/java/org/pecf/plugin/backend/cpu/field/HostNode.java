package org.pecf.plugin.backend.cpu.field;

import org.pecf.api.field.HostField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.OffHeapFloats;

/** A field computed by a plugin. */
record HostNode(HostField field) implements FieldNode {
  @Override
  public void evaluate(CellRun run, float[] values) {
    if (run.consecutive()) {
      OffHeapFloats floats = run.scratch().host(run.count());
      // The tile is a view of scratch memory: it is not closed.
      field.fill(run.user(), run.item(0), FloatMatrix.borrow(floats.buffer(), 1, run.count()));
      floats.read(0, values, 0, run.count());
    } else {
      for (int p = 0; p < run.count(); p++) {
        values[p] = field.valueAt(run.user(), run.item(p));
      }
    }
  }
}
