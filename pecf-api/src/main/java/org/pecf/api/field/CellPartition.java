package org.pecf.api.field;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Divide all cells of the grid into parts at random without storing which is where: a hash of seed,
 * user and item decides.
 *
 * <p>The hash is 32 bits: {@code k = userKey(user)} is the upper half of the SplitMix64 finalizer
 * of {@code seed + golden * (user + 1)}, and {@code hash = murmur3Finalizer(k + 0x9e3779b9 *
 * item)}, compared unsigned with the cumulative shares of 2^32. The same in every thread, process
 * and language.
 *
 * @param seed what makes one partition different from another
 * @param shares the relative size of each part, such as 3, 1, 1
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record CellPartition(long seed, List<Integer> shares) {
  public CellPartition {
    shares = List.copyOf(shares);
    if (shares.isEmpty() || shares.stream().anyMatch(share -> share < 0)) {
      throw new IllegalArgumentException("shares must be non-negative, not " + shares);
    }
    if (shares.stream().mapToLong(Integer::longValue).sum() == 0) {
      throw new IllegalArgumentException("one share at least must be positive");
    }
  }

  /** Return the part a cell is in. */
  public int partOf(int user, int item) {
    long hash = Integer.toUnsignedLong(hash(userKey(user), item));
    int part = 0;
    while (hash >= end(part)) {
      part++;
    }
    return part;
  }

  /** Return the fraction of all cells that a part holds, in expectation. */
  public double fraction(int part) {
    return (end(part) - start(part)) / (double) (1L << 32);
  }

  /** Return the first hash value of a part, from 0 to 2^32. */
  public long start(int part) {
    return part == 0 ? 0 : end(part - 1);
  }

  /** Return the hash value just past a part, from 0 to 2^32. */
  public long end(int part) {
    long total = shares.stream().mapToLong(Integer::longValue).sum();
    long upTo = shares.subList(0, part + 1).stream().mapToLong(Integer::longValue).sum();
    return upTo == total ? 1L << 32 : (long) Math.floor((double) (1L << 32) * upTo / total);
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
}
