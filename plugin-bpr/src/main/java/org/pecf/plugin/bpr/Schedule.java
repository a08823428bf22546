package org.pecf.plugin.bpr;

/** Name the ways the learning rate goes from epoch to epoch. */
enum Schedule {
  /** It stays. */
  CONSTANT {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return rate;
    }
  },
  /** It falls by the same amount after every epoch, and would be 0 after the last. */
  LINEAR {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return start * left;
    }
  },
  /** It grows by a twentieth when the loss fell, and is halved when it rose. */
  BOLD_DRIVER {
    @Override
    double next(double rate, double start, double left, double lossBefore, double loss) {
      return loss <= lossBefore ? 1.05 * rate : 0.5 * rate;
    }
  };

  /**
   * Return the rate of the next epoch.
   *
   * @param rate that of the last epoch
   * @param start that of the first
   * @param left the share of epochs still to come
   * @param lossBefore the loss of the epoch before the last
   * @param loss the loss of the last epoch
   */
  abstract double next(double rate, double start, double left, double lossBefore, double loss);
}
