package org.pecf.plugin.backend.cpu.leastsquares;

import java.util.Optional;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.memory.Side;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.SideExceptions;

/**
 * The exceptions to a background, by user and by item: for each its weight's excess {@code w - b}
 * and its pull {@code w t - b t_b}, the excess on the right-hand side.
 *
 * <p>Within a row, exceptions above the background come first. Where the excess takes one value
 * above and one below, as without re-weighting, these two values suffice. Else an exception has a
 * scale s, the root of the absolute excess, and {@code pull / s}: the terms of a sum over factors
 * scaled by s.
 *
 * @param byUser the exceptions by user
 * @param byItem the exceptions by item
 * @param squares {@code sum (w t^2 - b t_b^2)} over the exceptions
 * @param userExcess the sum of excess weights of each user, divided by the user's factor
 * @param itemExcess the sum of excess weights of each item, divided by the item's factor
 */
record Corrections(
    SideExceptions byUser,
    SideExceptions byItem,
    double squares,
    double[] userExcess,
    double[] itemExcess)
    implements AutoCloseable {
  /** The bytes that an exception takes, both sides together. */
  static final long BYTES = 2 * SideExceptions.BYTES;

  /**
   * Find the exceptions.
   *
   * @param most the most exceptions allowed
   * @return nothing if there are more
   */
  static Optional<Corrections> find(
      CpuContext context, LeastSquaresRequest request, Background background, long most) {
    return new ExceptionFinder(context, request, background, most)
        .find()
        .map(blocks -> new ExceptionCollector(context, background, blocks).collect());
  }

  /** Return the exceptions of a side. */
  SideExceptions of(Side side) {
    return side == Side.USERS ? byUser : byItem;
  }

  /** Return the number of exceptions. */
  long count() {
    return byUser.count();
  }

  /** Return the sum of the excess weights of each row of a side. */
  double[] excess(Side side) {
    return side == Side.USERS ? userExcess : itemExcess;
  }

  @Override
  public void close() {
    byUser.close();
    byItem.close();
  }
}
