package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.ScoreTiles;
import org.pecf.backend.field.Window;

/** A traversal of the grid that computes a program's scores by tiles that fit the cache. */
public final class TileEvaluator {
  /** The users of a tile. */
  public static final int USERS = ScoreTiles.USERS;

  /** The items of a tile. */
  public static final int ITEMS = ScoreTiles.ITEMS;

  private TileEvaluator() {}

  /** A receiver of the cells of one user within a tile. */
  public interface Visitor {
    /**
     * Visit consecutive cells of a user, at which the program's fields can be evaluated.
     *
     * @param run the cells, with their scores
     * @param firstItem the first item
     */
    void visit(CellRun run, int firstItem);
  }

  /** Return the number of blocks of {@link #USERS} users. */
  public static int blocks(int users) {
    return (users + USERS - 1) / USERS;
  }

  /** Return the window of one block of users and all items. */
  public static Window block(int block, int users, int items) {
    int first = block * USERS;
    return new Window(first, Math.min(USERS, users - first), 0, items);
  }

  /** Visit a window: tile by tile along the items, user by user within a tile. */
  public static void visit(FieldProgram program, Worker worker, Window window, Visitor visitor) {
    List<ScoreSlot> slots = program.slots();
    FieldScratch scratch = FieldScratch.of(worker);
    CellRun run = program.run(worker);
    OffHeapFloats[] tiles = new OffHeapFloats[slots.size()];
    int endUser = window.firstUser() + window.users();
    int endItem = window.firstItem() + window.items();
    HostRows hosts = new HostRows(program.hosts(), scratch, window);
    int most = hosts.users();
    for (int u = window.firstUser(); u < endUser; u += most) {
      int rows = Math.min(most, endUser - u);
      hosts.moveTo(u, rows);
      for (int slot = 0; slot < slots.size(); slot++) {
        slots.get(slot).moveTo(scratch, slot, u, rows);
      }
      for (int j = window.firstItem(); j < endItem; j += ITEMS) {
        Window tile = new Window(u, rows, j, Math.min(ITEMS, endItem - j));
        for (int slot = 0; slot < slots.size(); slot++) {
          tiles[slot] = slots.get(slot).fill(worker, scratch, slot, tile);
        }
        for (int row = 0; row < rows; row++) {
          run.moveTo(u + row, j, tile.items());
          for (int slot = 0; slot < slots.size(); slot++) {
            slots.get(slot).read(tiles[slot], tile, row, run.scores(slot));
          }
          hosts.read(row, run);
          visitor.visit(run, j);
        }
      }
    }
  }
}
