package org.pecf.api.memory;

import org.apiguardian.api.API;

/**
 * The numbers of users and items.
 *
 * @param users at least 1
 * @param items at least 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record GridShape(int users, int items) {
  public GridShape {
    if (users < 1 || items < 1) {
      throw new IllegalArgumentException("a grid cannot be " + users + " x " + items);
    }
  }

  /** Return the number of cells. */
  public long cells() {
    return (long) users * items;
  }
}
