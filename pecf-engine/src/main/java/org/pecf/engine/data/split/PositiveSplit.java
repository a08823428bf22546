package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * A division of the positives by hash; all zeros are training cells.
 *
 * @param shares the sizes of the parts
 */
record PositiveSplit(Shares shares) implements SplitRule {
  static final String REMEDY =
      "Use more data, looser rules for positives, other shares or another seed.";

  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    Assignment.refuseParts(dataset, this);
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      CellSplit.byHash(dataset.positives(), shares.partition(seed.value()), assignment);
      return assignment.split(this, Optional.empty(), REMEDY);
    }
  }

  @Override
  public SplitRule joined() {
    return new PositiveSplit(shares.joined());
  }

  @Override
  public String description() {
    return "positives divided by chance into training, validation and test as "
        + shares
        + "; all zeros are training cells";
  }

  @Override
  public String toString() {
    return "positives:" + shares;
  }
}
