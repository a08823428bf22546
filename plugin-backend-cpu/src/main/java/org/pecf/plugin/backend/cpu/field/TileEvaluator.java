package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/** Move a program over a rectangle of the grid, computing scores by tiles that fit the cache. */
public final class TileEvaluator {
  /** How many users share a tile. A constant, so that results do not depend on threads. */
  public static final int USERS = 128;

  /** How many items share a tile. */
  public static final int ITEMS = 1024;

  private TileEvaluator() {}

  /** Hear of one user's cells within a tile. */
  public interface Visitor {
    /**
     * Visit consecutive cells of a user, at which the program's fields can be evaluated.
     *
     * @param run where; its scores are in place
     * @param firstItem the first item
     */
    void visit(CellRun run, int firstItem);
  }

  /** Visit a rectangle: tile by tile along the items, user by user within a tile. */
  public static void visit(
      FieldProgram program,
      Worker worker,
      CellRun run,
      int firstUser,
      int users,
      int firstItem,
      int items,
      Visitor visitor) {
    List<ScoreSlot> slots = program.slots();
    NativeFloats[] tiles = new NativeFloats[slots.size()];
    for (int u = firstUser; u < firstUser + users; u += USERS) {
      int rows = Math.min(USERS, firstUser + users - u);
      for (int slot = 0; slot < slots.size(); slot++) {
        slots.get(slot).moveTo(worker, slot, u, rows);
      }
      for (int j = firstItem; j < firstItem + items; j += ITEMS) {
        int columns = Math.min(ITEMS, firstItem + items - j);
        for (int slot = 0; slot < slots.size(); slot++) {
          tiles[slot] = slots.get(slot).fill(worker, slot, u, rows, j, columns);
        }
        for (int row = 0; row < rows; row++) {
          run.moveTo(u + row, j, columns);
          for (int slot = 0; slot < slots.size(); slot++) {
            slots.get(slot).read(tiles[slot], u, row, j, columns, run.scores(slot));
          }
          visitor.visit(run, j);
        }
      }
    }
  }
}
