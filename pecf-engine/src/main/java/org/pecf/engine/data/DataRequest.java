package org.pecf.engine.data;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.engine.plugin.ProviderChoice;

/** The ratings to load, and the rules by which they become positives. */
public record DataRequest(
    @Option(
            value = "Ratings: a file, a folder, or builtin:NAME",
            key = "data",
            label = "PATH",
            defaultValue = "builtin:demo")
        String location,
    @Option(
            value = "A validation part split off beforehand; goes with the split 'files'",
            key = "validation-data",
            label = "PATH",
            defaultValue = "")
        Optional<String> validationLocation,
    @Option(
            value = "A test part split off beforehand; goes with the split 'files'",
            key = "test-data",
            label = "PATH",
            defaultValue = "")
        Optional<String> testLocation,
    @Option(
            value = "The format of the ratings; auto recognises it by content",
            label = "FORMAT",
            defaultValue = "auto")
        ProviderChoice format,
    @Option(
            value = "Which ratings are positives: '>=5', '>3.5', '=5' or all",
            label = "RULE",
            defaultValue = "all")
        PositiveRule positive,
    @Option(value = "Leave out users with fewer positives", defaultValue = "0", min = 0)
        int minUser,
    @Option(value = "Leave out items with fewer positives", defaultValue = "0", min = 0)
        int minItem,
    @Option(
            value = "Which of several ratings of a cell counts",
            label = "WHICH",
            defaultValue = "last")
        DuplicatePolicy duplicates) {
  /** The options of data. */
  public static final OptionSchema<DataRequest> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), DataRequest.class);

  /** Return the request for everything of a source, whose format is recognised. */
  public static DataRequest of(String location) {
    return SCHEMA.bind("", Map.of("data", location));
  }

  /** Return this request with another rule for positives. */
  public DataRequest withPositive(PositiveRule changed) {
    return new DataRequest(
        location, validationLocation, testLocation, format, changed, minUser, minItem, duplicates);
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
