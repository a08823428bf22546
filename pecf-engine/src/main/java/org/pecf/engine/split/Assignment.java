package org.pecf.engine.split;

import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.Dataset;

/** The part of each positive of a dataset, from which a split is assembled. */
final class Assignment implements AutoCloseable {
  private static final int PARTS = 3;

  private final SparseCells positives;
  private final BufferAllocator allocator;
  private final ArrowBuf parts;

  /** Assign all positives of a dataset to training at first. */
  Assignment(Dataset dataset, BufferAllocator allocator) {
    this.positives = dataset.positives();
    this.allocator = allocator;
    this.parts = allocator.buffer(Math.max(1, positives.count()));
    parts.setZero(0, parts.capacity());
  }

  /** Refuse to divide anew what comes in parts. */
  static void refuseParts(Dataset dataset, SplitRule rule) {
    if (dataset.parts().isPresent()) {
      throw PecfException.badOption(
          "The data comes in parts, but the split '%s' would divide it anew. Use the split 'files',"
              + " or leave out the locations of validation and test.",
          rule);
    }
  }

  /** Put the positive at a position of the by-user order into a part. */
  void assign(int position, int part) {
    parts.setByte(position, part);
  }

  /** Return the part of the positive at a position. */
  int part(int position) {
    return parts.getByte(position);
  }

  /**
   * Build the parts.
   *
   * @param rule for messages
   * @param partition how zeros are divided, if they are
   * @param remedy what to do if nothing is left to train or test on
   */
  Split split(SplitRule rule, Optional<CellPartition> partition, String remedy) {
    int[] counts = new int[PARTS];
    for (int position = 0; position < positives.count(); position++) {
      counts[part(position)]++;
    }
    if (counts[Split.TRAINING] == 0 || rule.holdsOut() && counts[Split.TEST] == 0) {
      throw PecfException.badData(
          "The split '%s' puts %s of %s positives into training, %s into validation and %s into"
              + " test; training and test need one at least. %s",
          rule,
          counts[Split.TRAINING],
          positives.count(),
          counts[Split.VALIDATION],
          counts[Split.TEST],
          remedy);
    }
    SparseCells[] cells = new SparseCells[PARTS];
    try {
      for (int part = 0; part < PARTS; part++) {
        cells[part] = cells(part, counts[part]);
      }
      return new Split(
          cells[Split.TRAINING], cells[Split.VALIDATION], cells[Split.TEST], partition);
    } catch (RuntimeException e) {
      for (SparseCells built : cells) {
        if (built != null) {
          built.close();
        }
      }
      throw e;
    }
  }

  private SparseCells cells(int part, int count) {
    ArrowBuf starts = allocator.buffer((positives.users() + 1L) * Integer.BYTES);
    ArrowBuf items;
    try {
      items = allocator.buffer(Math.max(1L, (long) count * Integer.BYTES));
    } catch (RuntimeException e) {
      starts.close();
      throw e;
    }
    int next = 0;
    starts.setInt(0, 0);
    for (int user = 0; user < positives.users(); user++) {
      int end = positives.userStart(user + 1);
      for (int position = positives.userStart(user); position < end; position++) {
        if (part(position) == part) {
          items.setInt((long) next++ * Integer.BYTES, positives.itemAt(position));
        }
      }
      starts.setInt((user + 1L) * Integer.BYTES, next);
    }
    return SparseCells.ofUserOrder(allocator, positives.users(), positives.items(), starts, items);
  }

  @Override
  public void close() {
    parts.close();
  }
}
