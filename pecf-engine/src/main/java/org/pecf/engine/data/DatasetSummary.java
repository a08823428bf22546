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
 * The size and content of a dataset, and the ratings dropped on the way to it.
 *
 * <p>{@code ratingsRead = positives + droppedAsDuplicates + droppedByRule + droppedByRarity}.
 *
 * @param users the number of users with a positive
 * @param items the number of items with a positive
 * @param positives the number of positives
 * @param ratingsRead the number of ratings in the source
 * @param droppedAsDuplicates the number of ratings that did not count as another of their cell did
 * @param acrossParts the number of duplicates in another part than the rating that counts
 * @param droppedByRule the number of ratings that count but are not positives
 * @param droppedByRarity the number of positives of users or items left out for having too few
 * @param perUser the spread of the numbers of positives of users
 * @param perItem the spread of the numbers of positives of items
 * @param userIds the kind of user ids
 * @param itemIds the kind of item ids
 * @param ratings the frequency of each value; empty without values, or with too many different ones
 * @param times the first and last time of a positive, in seconds since 1970
 * @param parts the numbers of positives in the parts of a pre-split source: training, validation,
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
   * The spread of counts.
   *
   * @param least the smallest
   * @param median the middle one, or the mean of the middle two
   * @param most the largest
   */
  public record Spread(int least, double median, int most) {
    /**
     * Return the spread of counts.
     *
     * @param counts at least one. Not modified.
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
   * A span of time.
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
