package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * A division of all cells of the grid by hash, zeros included: the paper's protocol.
 *
 * @param shares the sizes of the parts
 */
record CellSplit(Shares shares) implements SplitRule {
  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    Assignment.refuseParts(dataset, this);
    CellPartition partition = shares.partition(seed.value());
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      byHash(dataset.positives(), partition, assignment);
      return assignment.split(this, Optional.of(partition), PositiveSplit.REMEDY);
    }
  }

  /** Assign every positive to the part of its cell. */
  static void byHash(SparseCells positives, CellPartition partition, Assignment assignment) {
    PartHash hash = new PartHash(partition);
    for (int user = 0; user < positives.users(); user++) {
      hash.user(user);
      int end = positives.userStart(user + 1);
      for (int position = positives.userStart(user); position < end; position++) {
        assignment.assign(position, hash.part(positives.itemAt(position)));
      }
    }
  }

  @Override
  public boolean dividesZeros() {
    return true;
  }

  @Override
  public SplitRule joined() {
    return new CellSplit(shares.joined());
  }

  @Override
  public String description() {
    return "all cells, zeros included, divided by chance into training, validation and test as "
        + shares;
  }

  @Override
  public String toString() {
    return "cells:" + shares;
  }
}
