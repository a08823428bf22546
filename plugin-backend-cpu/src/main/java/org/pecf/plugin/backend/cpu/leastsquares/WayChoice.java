package org.pecf.plugin.backend.cpu.leastsquares;

/**
 * Choose how to solve the rows of a task, by estimates in nanoseconds: fitted to sweeps over
 * 480,000 cells of a grid of 6,000 × 4,000 at ranks from 8 to 100.
 *
 * <p>How many steps conjugate gradients take shows with the first rows: a choice belongs to one
 * task and sees its rows in order, so that it does not depend on threads.
 */
final class WayChoice {
  /** Say how a row is solved. */
  enum Way {
    /** By factorising its matrix. */
    FACTORISATION,
    /** In as many equations as it has exceptions. */
    FEW_EXCEPTIONS,
    /** By conjugate gradients. */
    CONJUGATE_GRADIENTS
  }

  /** How many steps a row takes until rows have told. */
  private static final double FIRST_GUESS = 8;

  /** How much a row's steps count in what the next is expected to take. */
  private static final double SHARE = 0.25;

  /**
   * Below this rank all rows are factorised: that is nearly as cheap, and a digit more precise
   * where excess weights are a hundred times the background.
   */
  private static final int SMALL = 32;

  /** The most floats of exceptions that steps pass over: more would not stay in cache. */
  private static final double LARGEST = 1 << 18;

  private final double rank;
  private double expected = FIRST_GUESS;

  WayChoice(int rank) {
    this.rank = rank;
  }

  /** Return whether any row of a rank may be solved in whitened coordinates. */
  static boolean whitens(int rank) {
    return rank >= SMALL;
  }

  /**
   * Choose.
   *
   * @param exceptions how many the row has
   * @param mixed whether some of them are above and some below the background
   */
  Way of(int exceptions, boolean mixed) {
    double direct = factorisation(exceptions);
    double few = exceptions < rank ? fewExceptions(exceptions, mixed) : Double.POSITIVE_INFINITY;
    double steps =
        exceptions * rank <= LARGEST ? expected * step(exceptions) : Double.POSITIVE_INFINITY;
    if (few < Math.min(direct, steps)) {
      return Way.FEW_EXCEPTIONS;
    }
    return steps < direct ? Way.CONJUGATE_GRADIENTS : Way.FACTORISATION;
  }

  /**
   * Return after how many steps to give up: those of two factorisations, since what is left to do
   * is likely less than one, until then.
   */
  int mostSteps(int exceptions) {
    return (int) Math.ceil(2 * factorisation(exceptions) / step(exceptions));
  }

  /**
   * Learn from a row.
   *
   * @param converged whether it was solved by these steps
   */
  void took(int steps, boolean converged) {
    expected = converged ? expected + SHARE * (steps - expected) : 2.0 * steps;
  }

  private double factorisation(double exceptions) {
    return 0.024 * exceptions * rank * rank + 0.014 * rank * rank * rank + 110 * rank + 900;
  }

  private double fewExceptions(double exceptions, boolean mixed) {
    return 0.06 * exceptions * exceptions * rank
        + (mixed ? 0.13 : 0.06) * exceptions * exceptions * exceptions
        + 1500;
  }

  private double step(double exceptions) {
    return 0.14 * exceptions * rank + 3 * rank + 240;
  }
}
