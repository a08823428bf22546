package org.pecf.engine.data;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.pecf.api.data.IdKind;

/**
 * Describe a dataset and how it came about.
 *
 * <p>{@code ratingsRead = positives + droppedAsDuplicates + droppedByRule + droppedByRarity}.
 *
 * @param users how many users have a positive
 * @param items how many items have a positive
 * @param positives how many positives there are
 * @param ratingsRead how many ratings the source holds
 * @param droppedAsDuplicates how many did not count, as another rating of the same cell did
 * @param acrossParts how many of those duplicates were in another part than the rating that counts
 * @param droppedByRule how many of the ratings that count are not positives
 * @param droppedByRarity how many positives were of users or items left out for having too few
 * @param perUser how many positives users have
 * @param perItem how many positives items have
 * @param userIds the kind of user ids
 * @param itemIds the kind of item ids
 * @param ratings how often each value was read; empty without values, or with too many different
 * @param times the first and last time of a positive, in seconds since 1970
 * @param parts how many positives are in the parts of a pre-split source: training, validation,
 *     test; empty if it is not split
 */
public record DatasetSummary(
    int users,
    int items,
    int positives,
    long ratingsRead,
    long droppedAsDuplicates,
    long acrossParts,
    long droppedByRule,
    long droppedByRarity,
    Spread perUser,
    Spread perItem,
    IdKind userIds,
    IdKind itemIds,
    SortedMap<Float, Long> ratings,
    Optional<Span> times,
    List<Integer> parts) {
  /**
   * Describe how counts are spread.
   *
   * @param least the smallest
   * @param median the middle one, or the mean of the middle two
   * @param most the largest
   */
  public record Spread(int least, double median, int most) {
    /**
     * Describe counts.
     *
     * @param counts one at least. Not modified.
     */
    static Spread of(int[] counts) {
      int[] ascending = counts.clone();
      Arrays.sort(ascending);
      int half = ascending.length / 2;
      double median =
          ascending.length % 2 == 1
              ? ascending[half]
              : ((double) ascending[half - 1] + ascending[half]) / 2;
      return new Spread(ascending[0], median, ascending[ascending.length - 1]);
    }
  }

  /**
   * Bound times.
   *
   * @param first the earliest
   * @param last the latest
   */
  public record Span(long first, long last) {}

  public DatasetSummary {
    ratings = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(ratings)));
    parts = List.copyOf(parts);
  }

  /** Return the fraction of cells that are positives: {@code positives / (users * items)}. */
  public double density() {
    return positives / ((double) users * items);
  }
}
