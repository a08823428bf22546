package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * A division of the positives at two moments: those before the first are training, those from the
 * second on are test. Positives of the same second stay together, so shares hold as nearly as that
 * allows, and nothing in a part is as old as anything in the part before.
 *
 * @param shares the sizes of the parts
 */
record TemporalSplit(Shares shares) implements SplitRule {
  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    Assignment.refuseParts(dataset, this);
    BigIntVector times =
        dataset
            .times()
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "The split '%s' needs the times of positives, but the data has no"
                            + " times. Use data with a time column, or a split such as"
                            + " 'positives:%s'.",
                        this, shares));
    long count = times.getValueCount();
    long validationStart =
        OrderStatistic.of(times, (int) (count * shares.training() / shares.total()));
    long testStart =
        OrderStatistic.of(
            times,
            (int) (count * ((long) shares.training() + shares.validation()) / shares.total()));
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      for (int position = 0; position < count; position++) {
        long time = times.get(position);
        if (time >= testStart) {
          assignment.assign(position, Part.TEST);
        } else if (time >= validationStart) {
          assignment.assign(position, Part.VALIDATION);
        }
      }
      return assignment.split(
          this,
          Optional.empty(),
          "Too many positives have the same time: use data with finer times, or other shares.");
    }
  }

  @Override
  public SplitRule joined() {
    return new TemporalSplit(shares.joined());
  }

  @Override
  public String description() {
    return "positives divided in time order into training, validation and test as "
        + shares
        + ", those of the same second together; all zeros are training cells";
  }

  @Override
  public String toString() {
    return "temporal:" + shares;
  }
}
