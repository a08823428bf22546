package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * A division that holds out two positives of every user with at least three: the last in time for
 * test and the one before for validation. Equal times, or no times at all, are ordered by hash.
 *
 * @param validationJoined whether the one before stays in training instead
 */
record LeaveOneOut(boolean validationJoined) implements SplitRule {
  private static final int LEAST = 3;

  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    Assignment.refuseParts(dataset, this);
    SparseCells positives = dataset.positives();
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      Order order = new Order(positives, dataset.times(), seed);
      for (int user = 0; user < positives.users(); user++) {
        if (positives.userCount(user) >= LEAST) {
          order.hash.user(user);
          int last = order.last(user, -1);
          assignment.assign(last, Part.TEST);
          if (!validationJoined) {
            assignment.assign(order.last(user, last), Part.VALIDATION);
          }
        }
      }
      return assignment.split(
          this, Optional.empty(), "Use data in which some user has three positives at least.");
    }
  }

  @Override
  public SplitRule joined() {
    return new LeaveOneOut(true);
  }

  @Override
  public String description() {
    return "of each user with three positives at least, the last one is test"
        + (validationJoined ? "" : " and the one before validation")
        + ", by time where times are known, else by chance; all zeros are training"
        + " cells";
  }

  @Override
  public String toString() {
    return validationJoined ? "leave-one-out:" + JOINED : "leave-one-out";
  }

  /** The order of a user's positives: by time, then hash, then item. */
  private static final class Order {
    private final SparseCells positives;
    private final Optional<BigIntVector> times;
    private final PartHash hash;

    Order(SparseCells positives, Optional<BigIntVector> times, Seed seed) {
      this.positives = positives;
      this.times = times;
      this.hash = new PartHash(Shares.USUAL.partition(seed.value()));
    }

    /** Return the position of the last of the user's positives but the excluded one. */
    int last(int user, int excluded) {
      int last = -1;
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        if (k != excluded && (last < 0 || after(k, last))) {
          last = k;
        }
      }
      return last;
    }

    /** Return whether a positive comes after one whose item is lower. */
    private boolean after(int position, int other) {
      if (times.isPresent()) {
        int byTime = Long.compare(times.get().get(position), times.get().get(other));
        if (byTime != 0) {
          return byTime > 0;
        }
      }
      return hash.hash(positives.itemAt(position)) >= hash.hash(positives.itemAt(other));
    }
  }
}
