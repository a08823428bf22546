package org.pecf.plugin.accams;

import java.util.EnumSet;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;

/** A filter whose model is a sum of co-clusterings, fitted to sampled cells. */
abstract class CoClustering implements BaseFilter {
  /** Return the largest number of clusters of all co-clusterings of the model together. */
  abstract int rank();

  /** Return the share of the missing cells to learn from. */
  abstract double negatives();

  @Override
  public final Set<FilterCapability> capabilities() {
    return EnumSet.of(
        FilterCapability.ANY_TARGET, FilterCapability.CELL_WEIGHTS, FilterCapability.DETERMINISTIC);
  }

  @Override
  public final long memoryEstimate(GridShape shape, int positives) {
    return FloatMatrix.bytes(shape.users(), rank())
        + FloatMatrix.bytes(shape.items(), rank())
        + Observations.bytes(shape, negatives());
  }
}
