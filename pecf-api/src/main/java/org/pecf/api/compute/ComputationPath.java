package org.pecf.api.compute;

import org.apiguardian.api.API;

/** The ways to sum over all cells of the grid. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ComputationPath {
  /** Choose by estimated cost, and say which was chosen. */
  AUTO,
  /** Visit every cell: exact. */
  DENSE,
  /** A constant background corrected at few exceptions: of bounded error. */
  CORRECTED
}
