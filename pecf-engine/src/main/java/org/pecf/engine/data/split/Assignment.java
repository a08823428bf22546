package org.pecf.engine.data.split;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.Dataset;

/** The part of each positive of a dataset, from which a split is assembled. */
final class Assignment implements AutoCloseable {
  private static final List<Part> PARTS = List.of(Part.values());

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

  /** Refuse to divide data that comes in parts already. */
  static void refuseParts(Dataset dataset, SplitRule rule) {
    if (dataset.parts().isPresent()) {
      throw PecfException.badOption(
          "The data comes in parts, but the split '%s' would divide it again. Use the split"
              + " 'files', or leave out the locations of validation and test.",
          rule);
    }
  }

  /** Put the positive at a position of the by-user order into a part. */
  void assign(int position, Part part) {
    parts.setByte(position, part.ordinal());
  }

  /** Return the part of the positive at a position. */
  Part part(int position) {
    return PARTS.get(parts.getByte(position));
  }

  /**
   * Build the parts.
   *
   * @param rule for messages
   * @param partition how zeros are divided, if they are
   * @param remedy the remedy if nothing is left to train or test on
   */
  Split split(SplitRule rule, Optional<CellPartition> partition, String remedy) {
    int[] counts = new int[PARTS.size()];
    for (int position = 0; position < positives.count(); position++) {
      counts[parts.getByte(position)]++;
    }
    int training = counts[Part.TRAINING.ordinal()];
    int test = counts[Part.TEST.ordinal()];
    if (training == 0 || rule.holdsOut() && test == 0) {
      throw PecfException.badData(
          "The split '%s' puts %s of %s positives into training, %s into validation and %s into"
              + " test; training and test need one at least. %s",
          rule, training, positives.count(), counts[Part.VALIDATION.ordinal()], test, remedy);
    }
    List<SparseCells> cells = new ArrayList<>();
    try {
      for (Part part : PARTS) {
        cells.add(cells(part, counts[part.ordinal()]));
      }
      return new Split(cells.get(0), cells.get(1), cells.get(2), partition);
    } catch (RuntimeException e) {
      cells.forEach(SparseCells::close);
      throw e;
    }
  }

  private SparseCells cells(Part part, int count) {
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
