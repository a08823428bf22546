package org.pecf.api.plugin;

import org.apiguardian.api.API;

/** The version of the SPI. */
@API(status = API.Status.STABLE, since = "0.1")
public final class SpiVersion {
  /**
   * The SPI version of this release: a compile-time constant, so that a plugin that names it
   * carries the version it was compiled against.
   */
  public static final int CURRENT = 1;

  private SpiVersion() {}
}
