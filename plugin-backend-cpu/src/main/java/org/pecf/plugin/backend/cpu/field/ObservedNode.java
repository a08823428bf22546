package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.IntSlice;

/** An observed field. */
record ObservedNode(Observed observed) implements FieldNode {
  @Override
  public void evaluate(CellRun run, float[] values) {
    Arrays.fill(values, 0, run.count(), observed.outside());
    if (run.count() == 0) {
      return;
    }
    SparseCells cells = observed.cells();
    int position = cells.lowerBound(run.user(), run.item(0));
    int end = cells.userStart(run.user() + 1);
    IntSlice items = IntSlice.itemsByUser(cells);
    float inside = observed.inside();
    if (run.consecutive()) {
      int first = run.item(0);
      int limit = first + run.count();
      for (; position < end && items.get(position) < limit; position++) {
        values[items.get(position) - first] = inside;
      }
    } else {
      for (int p = 0; p < run.count() && position < end; p++) {
        int item = run.item(p);
        while (position < end && items.get(position) < item) {
          position++;
        }
        if (position < end && items.get(position) == item) {
          values[p] = inside;
        }
      }
    }
  }
}
