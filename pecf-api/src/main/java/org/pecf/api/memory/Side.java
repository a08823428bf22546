package org.pecf.api.memory;

import org.apiguardian.api.API;

/** The two sides of the grid. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Side {
  /** The rows. */
  USERS,
  /** The columns. */
  ITEMS;

  /** Return the other side. */
  public Side other() {
    return this == USERS ? ITEMS : USERS;
  }
}
