package org.pecf.engine.data.split;

import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.TinyIntVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.Dataset;

/**
 * The division that the data comes with. Without a validation part, a tenth of the training
 * positives, chosen by hash, is held out as validation.
 *
 * @param validationJoined whether validation is given to training, whichever way it came about
 */
record FileSplit(boolean validationJoined) implements SplitRule {
  private static final Shares HELD_OUT = new Shares(9, 0, 1);

  @Override
  public Split split(Dataset dataset, Seed seed, BufferAllocator allocator) {
    TinyIntVector parts =
        dataset
            .parts()
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "The split 'files' needs data that comes in parts. Give the location of the"
                            + " test part, or use a split such as 'positives:3:1:1'."));
    try (Assignment assignment = new Assignment(dataset, allocator)) {
      boolean validated = false;
      for (int position = 0; position < parts.getValueCount(); position++) {
        Part part = Part.values()[parts.get(position)];
        validated |= part == Part.VALIDATION;
        boolean joins = validationJoined && part == Part.VALIDATION;
        assignment.assign(position, joins ? Part.TRAINING : part);
      }
      if (!validated && !validationJoined) {
        holdOut(dataset.positives(), seed, assignment);
      }
      return assignment.split(
          this, Optional.empty(), "Give the locations of both the training and the test part.");
    }
  }

  private static void holdOut(SparseCells positives, Seed seed, Assignment assignment) {
    PartHash hash = new PartHash(HELD_OUT.partition(seed.value()));
    for (int user = 0; user < positives.users(); user++) {
      hash.user(user);
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        if (assignment.part(k) == Part.TRAINING && hash.part(positives.itemAt(k)) == Part.TEST) {
          assignment.assign(k, Part.VALIDATION);
        }
      }
    }
  }

  @Override
  public SplitRule joined() {
    return new FileSplit(true);
  }

  @Override
  public String description() {
    return validationJoined
        ? "the training and test parts the data comes in, validation added to training; all zeros"
            + " are training cells"
        : "the parts the data comes in; without a validation part, a tenth of the training"
            + " positives, chosen by chance, is held out as validation; all zeros are training"
            + " cells";
  }

  @Override
  public String toString() {
    return validationJoined ? "files:" + JOINED : "files";
  }
}
