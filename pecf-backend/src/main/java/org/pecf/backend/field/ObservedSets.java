package org.pecf.backend.field;

import java.util.LinkedHashSet;
import java.util.Set;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Observed;
import org.pecf.api.memory.SparseCells;

/** The sets of cells that fields refer to. */
public final class ObservedSets {
  private ObservedSets() {}

  /** Collect the sets of some fields, in the order in which they occur. */
  public static Set<SparseCells> in(CellField... fields) {
    // Sets of cells have no equality but identity.
    Set<SparseCells> found = new LinkedHashSet<>();
    for (CellField field : fields) {
      collect(field, found);
    }
    return found;
  }

  private static void collect(CellField field, Set<SparseCells> found) {
    if (field instanceof Observed observed) {
      found.add(observed.cells());
    }
    field.children().forEach(child -> collect(child, found));
  }
}
