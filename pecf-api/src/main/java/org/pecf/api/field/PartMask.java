package org.pecf.api.field;

import org.apiguardian.api.API;

/**
 * One on a random part of the cells and zero elsewhere. The part is not stored: a cell belongs to
 * it if the hash of seed, user and item lies in a range.
 *
 * <p>The hash is 32 bits: {@code k = userKey(user)} is the upper half of the SplitMix64 finalizer
 * of {@code seed + golden * (user + 1)}, and {@code hash = murmur3Finalizer(k + 0x9e3779b9 *
 * item)}, compared unsigned with the ends of the range. The same in every thread, process and
 * language.
 *
 * @param seed distinguishes one division of the cells from another
 * @param start the first hash of the part, from 0 to 2^32
 * @param end the hash just past the part, from start to 2^32
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PartMask(long seed, long start, long end) implements CellField {
  private static final long HASHES = 1L << 32;

  public PartMask {
    if (start < 0 || end < start || end > HASHES) {
      throw new IllegalArgumentException("hashes cannot be from " + start + " to " + end);
    }
  }

  /**
   * Return a slice of the cells: those whose hash lies between {@code from / total} and {@code to /
   * total} of all hashes. Slices that meet do not overlap.
   *
   * @param from at least 0
   * @param to from {@code from} to {@code total}
   * @param total at least 1
   */
  public static PartMask slice(long seed, long from, long to, long total) {
    return new PartMask(seed, bound(from, total), bound(to, total));
  }

  private static long bound(long share, long total) {
    return share == total ? HASHES : (long) Math.floor((double) HASHES * share / total);
  }

  /** Return whether a cell belongs to the part. */
  public boolean contains(int user, int item) {
    long hash = Integer.toUnsignedLong(hash(userKey(user), item));
    return hash >= start && hash < end;
  }

  /** Return the fraction of all cells that the part holds, in expectation. */
  public double fraction() {
    return (end - start) / (double) HASHES;
  }

  /** Return the key that a user's cells share. */
  public int userKey(int user) {
    long z = seed + 0x9e3779b97f4a7c15L * (user + 1L);
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return (int) ((z ^ (z >>> 31)) >>> 32);
  }

  /** Return the hash of a cell. */
  public static int hash(int userKey, int item) {
    int h = userKey + 0x9e3779b9 * item;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  @Override
  public float valueAt(int user, int item) {
    return contains(user, item) ? 1 : 0;
  }

  @Override
  public ValueRange background(float scoreBound) {
    return ValueRange.of(1);
  }
}
