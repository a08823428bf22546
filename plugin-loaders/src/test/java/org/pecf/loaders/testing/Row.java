package org.pecf.loaders.testing;

/**
 * One rating as it arrived.
 *
 * @param user a Long or a String
 * @param item a Long or a String
 * @param rating NaN if there is none
 * @param time 0 if there is none
 */
public record Row(Object user, Object item, float rating, long time) {
  public static Row positive(long user, long item) {
    return new Row(user, item, Float.NaN, 0);
  }

  public static Row of(long user, long item, double rating, long time) {
    return new Row(user, item, (float) rating, time);
  }
}
