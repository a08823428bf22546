package org.pecf.api.compute;

import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apiguardian.api.API;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Seed;

/**
 * A pairwise factorisation, which minimises {@code sum -ln sigmoid(u_i . (v_j - v_k))} plus
 * penalties over samples of a positive (i, j) and a negative (i, k).
 *
 * <p>A negative is never a positive of its user, never in an excluded set, and always a candidate.
 *
 * @param positives the cells to rank high
 * @param weights if present, one float a positive in by-user order, finite and at least 0:
 *     positives are drawn in proportion to it. All alike if absent.
 * @param excluded sets of cells that are not drawn as negatives
 * @param candidates if present, only cells of this part are drawn as negatives
 * @param popularity items are drawn as negatives in proportion to the number of their positives to
 *     this power, at least 0; 0 makes all items alike
 * @param penalties the penalties
 * @param itemBias whether the last factor of items is a bias: that of users must then be 1 and is
 *     not changed
 * @param mode whether equal seeds give equal bits
 * @param seed the root of all randomness
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PairwiseRequest(
    SparseCells positives,
    Optional<ArrowBuf> weights,
    List<SparseCells> excluded,
    Optional<PartMask> candidates,
    double popularity,
    PairwisePenalties penalties,
    boolean itemBias,
    PairwiseMode mode,
    Seed seed) {
  public PairwiseRequest {
    excluded = List.copyOf(excluded);
    if (!(popularity >= 0 && popularity < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("popularity must be at least 0, not " + popularity);
    }
    if (weights.isPresent() && weights.get().capacity() < (long) positives.count() * Float.BYTES) {
      throw new IllegalArgumentException(
          String.format(
              "%s bytes cannot hold the weights of %s positives",
              weights.get().capacity(), positives.count()));
    }
  }

  /** Describe plain steps: all positives alike, any other item a negative, no bias. */
  public static PairwiseRequest of(
      SparseCells positives, PairwisePenalties penalties, PairwiseMode mode, Seed seed) {
    return new PairwiseRequest(
        positives, Optional.empty(), List.of(), Optional.empty(), 0, penalties, false, mode, seed);
  }
}
