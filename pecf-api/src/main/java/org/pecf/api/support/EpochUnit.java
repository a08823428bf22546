package org.pecf.api.support;

import java.util.Arrays;
import org.apiguardian.api.API;

/** The unit of times that are numbers since 1970. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum EpochUnit {
  /** Seconds. */
  SECONDS(1),
  /** Milliseconds. */
  MILLISECONDS(1_000),
  /** Microseconds. */
  MICROSECONDS(1_000_000),
  /** Nanoseconds. */
  NANOSECONDS(1_000_000_000);

  /** The year 5138 in seconds, and the year 1973 in milliseconds. */
  private static final long MOST_SECONDS = 100_000_000_000L;

  private final long perSecond;

  EpochUnit(long perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * Return the unit that times are most likely in: the one that brings their median nearest to the
   * present.
   *
   * @param times sampled times, at least one. Not modified.
   */
  public static EpochUnit of(long... times) {
    long[] ascending = times.clone();
    Arrays.sort(ascending);
    long median = Math.abs(ascending[ascending.length / 2]);
    for (EpochUnit unit : values()) {
      if (median / unit.perSecond < MOST_SECONDS) {
        return unit;
      }
    }
    return SECONDS;
  }

  /** Return a time in whole seconds, rounded down. */
  public long seconds(long time) {
    return Math.floorDiv(time, perSecond);
  }
}
