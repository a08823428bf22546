package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/** No division: all positives, of all parts the data comes in, are for training. */
record NoSplit() implements SplitRule {
  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      return assignment.split(this, Optional.empty(), "Supply more data.");
    }
  }

  @Override
  public boolean holdsOut() {
    return false;
  }

  @Override
  public SplitRule joined() {
    throw PecfException.badOption(
        "The split 'none' trains on all data already. Choose a split that holds data out.");
  }

  @Override
  public String description() {
    return "all data is for training, so nothing can be measured";
  }

  @Override
  public String toString() {
    return "none";
  }
}
