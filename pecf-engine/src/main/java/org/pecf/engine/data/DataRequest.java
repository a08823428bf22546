package org.pecf.engine.data;

import java.util.Optional;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * Say which ratings to load and which of them are positives.
 *
 * @param location a path or {@code builtin:NAME}
 * @param validationLocation a pre-split validation part
 * @param testLocation a pre-split test part
 * @param format the loader, or {@code auto} to recognise it by content
 * @param positive which ratings are positives
 * @param minUser users with fewer positives are left out
 * @param minItem items with fewer positives are left out
 * @param duplicates which of several ratings of one cell counts
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

  /** Load everything of a source, recognising its format. */
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
