package org.pecf.plugin.backend.cpu.leastsquares;

import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.ExcessLevels;
import org.pecf.backend.leastsquares.SideExceptions;
import org.pecf.plugin.backend.cpu.field.TileEvaluator;

/**
 * The joining of found exceptions into both compressed forms, by user and by item. Blocks of users
 * are divided into parts, which are counted and written in parallel.
 */
final class ExceptionCollector {
  /** The number of parts: a constant, so that sums are always the same. */
  private static final int PARTS = 16;

  private final CpuContext context;
  private final GridShape shape;
  private final Background background;
  private final FoundExceptions[] blocks;
  private final Part[] parts;

  /** Prepare to collect blocks, which are released as they are written. */
  ExceptionCollector(CpuContext context, Background background, FoundExceptions[] blocks) {
    this.context = context;
    this.background = background;
    this.shape = context.shape();
    this.blocks = blocks;
    this.parts = new Part[Math.min(PARTS, blocks.length)];
  }

  /** The exceptions of each item in one part: how many above and below, later their positions. */
  private static final class Part {
    private final long[] above;
    private final long[] below;
    private final double[] excess;

    Part(int items) {
      above = new long[items];
      below = new long[items];
      excess = new double[items];
    }
  }

  /** Join the blocks. */
  Corrections collect() {
    context.parallelism().forEach(parts.length, (index, number) -> parts[index] = count(index));
    long[] userStarts = new long[shape.users() + 1];
    int[] userAboves = new int[shape.users()];
    double[] userExcess = new double[shape.users()];
    double squares = 0;
    FoundExceptions.LevelRange range = new FoundExceptions.LevelRange();
    long before = 0;
    for (int block = 0; block < blocks.length; block++) {
      FoundExceptions found = blocks[block];
      for (int u = 0; u < found.users(); u++) {
        int user = block * TileEvaluator.USERS + u;
        userStarts[user + 1] = before + found.end(u);
        userAboves[user] = found.above(u);
        userExcess[user] = found.sum(u);
      }
      before += found.count();
      squares += found.squares();
      range.include(found.levels());
    }
    long[] itemStarts = new long[shape.items() + 1];
    int[] itemAboves = new int[shape.items()];
    double[] itemExcess = new double[shape.items()];
    for (int item = 0; item < shape.items(); item++) {
      long next = itemStarts[item];
      for (Part part : parts) {
        next += replaceByStart(part.above, item, next);
        itemExcess[item] += part.excess[item];
      }
      itemAboves[item] = (int) (next - itemStarts[item]);
      for (Part part : parts) {
        next += replaceByStart(part.below, item, next);
      }
      itemStarts[item + 1] = next;
    }
    ExcessLevels levels = range.levels();
    SideExceptions byUser = new SideExceptions(context.allocator(), userStarts, userAboves, levels);
    SideExceptions byItem = null;
    try {
      byItem = new SideExceptions(context.allocator(), itemStarts, itemAboves, levels);
      SideExceptions mirror = byItem;
      context.parallelism().forEach(parts.length, (index, number) -> fill(index, byUser, mirror));
      return new Corrections(byUser, byItem, squares, userExcess, itemExcess);
    } catch (RuntimeException | Error e) {
      byUser.close();
      if (byItem != null) {
        byItem.close();
      }
      throw e;
    }
  }

  /** Replace a count by the position where its exceptions start, and return the count. */
  private static long replaceByStart(long[] counts, int item, long start) {
    long count = counts[item];
    counts[item] = start;
    return count;
  }

  /** Count the exceptions of every item in a part of the blocks. */
  private Part count(int index) {
    Part part = new Part(shape.items());
    for (int block = firstBlock(index); block < firstBlock(index + 1); block++) {
      FoundExceptions found = blocks[block];
      int p = 0;
      for (int u = 0; u < found.users(); u++) {
        double factor = background.factor(Side.USERS, block * TileEvaluator.USERS + u);
        for (; p < found.end(u); p++) {
          int item = found.item(p);
          float excess = found.excess(p);
          part.excess[item] += factor * excess;
          (excess >= 0 ? part.above : part.below)[item]++;
        }
      }
    }
    return part;
  }

  private int firstBlock(int part) {
    return (int) ((long) blocks.length * part / parts.length);
  }

  /** Write a part of the blocks, by user and by item. */
  private void fill(int index, SideExceptions byUser, SideExceptions byItem) {
    Part part = parts[index];
    ExcessLevels levels = byUser.levels();
    int end = firstBlock(index + 1);
    for (int block = firstBlock(index); block < end; block++) {
      FoundExceptions found = blocks[block];
      blocks[block] = null;
      int p = 0;
      for (int u = 0; u < found.users(); u++) {
        int user = block * TileEvaluator.USERS + u;
        long above = byUser.start(user);
        long below = above + found.above(u);
        for (; p < found.end(u); p++) {
          int item = found.item(p);
          float excess = found.excess(p);
          float scale = levels.scale(excess);
          float pull = found.pull(p) / scale;
          if (excess >= 0) {
            byUser.set(above++, item, scale, pull);
            byItem.set(part.above[item]++, user, scale, pull);
          } else {
            byUser.set(below++, item, scale, pull);
            byItem.set(part.below[item]++, user, scale, pull);
          }
        }
      }
    }
  }
}
