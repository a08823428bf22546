package org.pecf.plugin.bpr;

/** The change of the learning rate from epoch to epoch. */
enum Schedule {
  /** No change. */
  CONSTANT {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return rate;
    }
  },
  /** A fall by the same amount after every epoch, to 0 after the last. */
  LINEAR {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return start * left;
    }
  },
  /** A rise by a twentieth when the loss fell, and a halving when it rose. */
  BOLD_DRIVER {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return loss <= lossBefore ? 1.05 * rate : 0.5 * rate;
    }
  };

  /**
   * Return the rate of the next epoch.
   *
   * @param rate the rate of the last epoch
   * @param start the rate of the first epoch
   * @param left the share of epochs still to come
   * @param lossBefore the loss of the epoch before the last
   * @param loss the loss of the last epoch
   */
  abstract double next(double rate, double start, double left, double lossBefore, double loss);
}
