package org.pecf.engine.data;

import java.util.Optional;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * The ratings to load, and the rules by which they become positives.
 *
 * @param location a path or {@code builtin:NAME}
 * @param validationLocation a pre-split validation part
 * @param testLocation a pre-split test part
 * @param format the loader, or {@code auto} to recognise it by content
 * @param positive the rule for positives
 * @param minUser the fewest positives of a user; users with fewer are left out
 * @param minItem the fewest positives of an item; items with fewer are left out
 * @param duplicates the policy for several ratings of one cell
 */
public record DataRequest(
    String location,
    Optional<String> validationLocation,
    Optional<String> testLocation,
    ProviderChoice format,
    PositiveRule positive,
    int minUser,
    int minItem,
    DuplicatePolicy duplicates) {

  /** Request all ratings of a source, whose format is recognised. */
  public static DataRequest of(String location) {
    return new DataRequest(
        location,
        Optional.empty(),
        Optional.empty(),
        ProviderChoice.of("auto"),
        PositiveRule.all(),
        0,
        0,
        DuplicatePolicy.LAST);
  }

  /** Return this request with another loader, or with other options of it. */
  public DataRequest withFormat(ProviderChoice changed) {
    return new DataRequest(
        location,
        validationLocation,
        testLocation,
        changed,
        positive,
        minUser,
        minItem,
        duplicates);
  }
}
