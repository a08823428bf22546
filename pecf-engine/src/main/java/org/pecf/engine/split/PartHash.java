package org.pecf.engine.split;

import org.pecf.api.field.CellPartition;

/** The parts of cells by the hash of a partition, read user by user. */
final class PartHash {
  private final CellPartition partition;
  private final long[] ends;
  private int userKey;

  PartHash(CellPartition partition) {
    this.partition = partition;
    this.ends = new long[partition.shares().size()];
    for (int part = 0; part < ends.length; part++) {
      ends[part] = partition.end(part);
    }
  }

  /** Go to a user. */
  void user(int user) {
    userKey = partition.userKey(user);
  }

  /** Return the hash of the user's cell, from 0 to 2^32 - 1. */
  long hash(int item) {
    return Integer.toUnsignedLong(CellPartition.hash(userKey, item));
  }

  /** Return the part of the user's cell, as {@link CellPartition#partOf} does. */
  int part(int item) {
    long hash = hash(item);
    int part = 0;
    while (hash >= ends[part]) {
      part++;
    }
    return part;
  }
}
