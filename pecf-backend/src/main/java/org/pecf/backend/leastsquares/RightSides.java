package org.pecf.backend.leastsquares;

import org.pecf.backend.algebra.MatrixSlice;
import org.pecf.backend.algebra.Worker;

/** The background's part of the right-hand sides of rows. */
public interface RightSides {
  /** The background without targets. */
  RightSides ZERO =
      new RightSides() {
        @Override
        public boolean isZero() {
          return true;
        }

        @Override
        public void write(Worker worker, int first, MatrixSlice rights) {
          rights.floats().clear();
        }
      };

  /** Return whether they are all zero. */
  boolean isZero();

  /**
   * Compute the right-hand sides of consecutive rows.
   *
   * @param rights receives one row each, without gaps. Modified.
   */
  void write(Worker worker, int first, MatrixSlice rights);
}
