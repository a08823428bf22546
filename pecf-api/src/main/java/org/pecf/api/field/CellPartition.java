package org.pecf.api.field;

import org.apiguardian.api.API;
import org.pecf.api.data.Part;

/**
 * A random division of all cells of the grid into training, validation and test, by hash.
 *
 * @param seed distinguishes one partition from another
 * @param training the relative size of the training part, at least 0
 * @param validation the relative size of the validation part, at least 0
 * @param test the relative size of the test part, at least 0
 * @see PartMask
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CellPartition(long seed, int training, int validation, int test) {
  public CellPartition {
    if (training < 0 || validation < 0 || test < 0) {
      throw new IllegalArgumentException(
          "shares must be at least 0, not " + training + ", " + validation + ", " + test);
    }
    if (training == 0 && validation == 0 && test == 0) {
      throw new IllegalArgumentException("one share at least must be above 0");
    }
  }

  /** Return the part of a cell. */
  public Part partOf(int user, int item) {
    if (mask(Part.TRAINING).contains(user, item)) {
      return Part.TRAINING;
    }
    return mask(Part.VALIDATION).contains(user, item) ? Part.VALIDATION : Part.TEST;
  }

  /** Return the cells of a part. */
  public PartMask mask(Part part) {
    long held = (long) training + validation;
    long total = held + test;
    return switch (part) {
      case TRAINING -> PartMask.slice(seed, 0, training, total);
      case VALIDATION -> PartMask.slice(seed, training, held, total);
      case TEST -> PartMask.slice(seed, held, total, total);
    };
  }
}
