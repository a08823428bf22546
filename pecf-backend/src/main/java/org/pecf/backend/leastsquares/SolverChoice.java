package org.pecf.backend.leastsquares;

/**
 * The choice of a solver for each row of a task, by estimated nanoseconds: fitted to sweeps over
 * 480,000 cells of a grid of 6,000 × 4,000 at ranks from 8 to 100.
 *
 * <p>The expected number of conjugate-gradient steps is learnt from the rows solved so far. A
 * choice belongs to one task and sees its rows in order, so that it does not depend on threads.
 */
final class SolverChoice {
  /** The ways to solve a row. */
  enum Solver {
    /** Factorisation of the row's matrix. */
    FACTORISATION,
    /** A system of as many equations as there are exceptions. */
    FEW_EXCEPTIONS,
    /** Conjugate gradients. */
    CONJUGATE_GRADIENTS
  }

  /** The initial guess of the steps per row, before any row is solved. */
  private static final double FIRST_GUESS = 8;

  /** The weight of the last row in the expected number of steps. */
  private static final double SHARE = 0.25;

  /**
   * The rank below which all rows are factorised: that is nearly as cheap, and a digit more precise
   * where excess weights are a hundred times the background.
   */
  private static final int SMALL = 32;

  /** The most floats of exceptions for conjugate gradients: more do not stay in cache. */
  private static final double LARGEST = 1 << 18;

  private final double rank;
  private double expected = FIRST_GUESS;

  SolverChoice(int rank) {
    this.rank = rank;
  }

  /** Return whether rows of a rank may be solved in whitened coordinates. */
  static boolean whitens(int rank) {
    return rank >= SMALL;
  }

  /**
   * Choose the solver of a row.
   *
   * @param exceptions the number of exceptions of the row
   * @param mixed whether some of them are below the background
   */
  Solver of(int exceptions, boolean mixed) {
    double direct = factorisation(exceptions);
    double few = exceptions < rank ? fewExceptions(exceptions, mixed) : Double.POSITIVE_INFINITY;
    double steps =
        exceptions * rank <= LARGEST ? expected * step(exceptions) : Double.POSITIVE_INFINITY;
    if (few < Math.min(direct, steps)) {
      return Solver.FEW_EXCEPTIONS;
    }
    return steps < direct ? Solver.CONJUGATE_GRADIENTS : Solver.FACTORISATION;
  }

  /**
   * Return the number of steps after which to give up: those that take the time of two
   * factorisations, since a row that far along is likely to be nearly done.
   */
  int mostSteps(int exceptions) {
    return (int) Math.ceil(2 * factorisation(exceptions) / step(exceptions));
  }

  /**
   * Learn from a row.
   *
   * @param steps the steps it took
   * @param converged whether these steps solved it
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
