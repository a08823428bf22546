package org.pecf.plugin.baselines;

import java.util.EnumSet;
import java.util.Set;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.FilterCapability;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;

/**
 * A filter that keeps the nearest neighbours of every row of one side. Neighbours are found by
 * positives alone: single cells cannot be weighted, and other targets cannot be fitted.
 */
abstract class NeighbourFilter implements BaseFilter {
  private final Side side;
  private final int neighbours;

  /**
   * Create the filter.
   *
   * @param side the side whose rows are neighbours
   * @param neighbours the most neighbours of a row
   */
  NeighbourFilter(Side side, int neighbours) {
    this.side = side;
    this.neighbours = neighbours;
  }

  @Override
  public final Set<FilterCapability> capabilities() {
    return EnumSet.of(FilterCapability.DETERMINISTIC);
  }

  @Override
  public long memoryEstimate(GridShape shape, int positives) {
    return Neighbourhood.bytes(shape, positives, side, neighbours);
  }
}
