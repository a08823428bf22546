package org.pecf.api.field;

import org.apiguardian.api.API;

/**
 * Be one on the cells of one part of a partition and zero elsewhere.
 *
 * @param partition the partition
 * @param part which part
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PartMask(CellPartition partition, int part) implements CellField {
  public PartMask {
    if (part < 0 || part >= partition.shares().size()) {
      throw new IllegalArgumentException("there is no part " + part + " in " + partition.shares());
    }
  }

  @Override
  public float valueAt(int user, int item) {
    return partition.partOf(user, item) == part ? 1 : 0;
  }

  @Override
  public ValueRange background(float scoreBound) {
    return ValueRange.of(1);
  }
}
