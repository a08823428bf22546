package org.pecf.engine.data.split;

import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;

/** The parts of cells by the hash of a partition, read user by user. */
final class PartHash {
  private final PartMask training;
  private final PartMask validation;
  private int userKey;

  PartHash(CellPartition partition) {
    this.training = partition.mask(Part.TRAINING);
    this.validation = partition.mask(Part.VALIDATION);
  }

  /** Go to a user. */
  void user(int user) {
    userKey = training.userKey(user);
  }

  /** Return the hash of the user's cell, from 0 to 2^32 - 1. */
  long hash(int item) {
    return Integer.toUnsignedLong(PartMask.hash(userKey, item));
  }

  /** Return the part of the user's cell, as {@link CellPartition#partOf} does. */
  Part part(int item) {
    long hash = hash(item);
    if (hash < training.end()) {
      return Part.TRAINING;
    }
    return hash < validation.end() ? Part.VALIDATION : Part.TEST;
  }
}
