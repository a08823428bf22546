package org.pecf.cli.option;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.plugin.ProviderChoice;
import picocli.CommandLine.Option;

/** Take the options that say which ratings to load. Null is what was not said. */
@Section("Data")
public final class DataOptions {
  @Option(
      names = "--data",
      paramLabel = "PATH",
      description = "Ratings: a file, a folder, or builtin:NAME (default: builtin:demo).")
  String data;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How they are written (default: auto, recognised by content).")
  String format;

  @Option(
      names = "--positive",
      paramLabel = "RULE",
      description = "Which ratings are positives: '>=5', '>3.5', '=5' or all (default: all).")
  String positive;

  @Option(
      names = "--min-user",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Leave out users with fewer positives (default: 0).")
  Integer minUser;

  @Option(
      names = "--min-item",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "Leave out items with fewer positives (default: 0).")
  Integer minItem;

  @Option(
      names = "--duplicates",
      paramLabel = "WHICH",
      description =
          "Which of several ratings of a cell counts: last, first, highest or reject (default:"
              + " last).")
  String duplicates;

  @Option(
      names = "--validation-data",
      paramLabel = "PATH",
      description = "A validation part split off beforehand; see --split files.")
  String validationData;

  @Option(
      names = "--test-data",
      paramLabel = "PATH",
      description = "A test part split off beforehand; see --split files.")
  String testData;

  /** Name ratings and their format. */
  static DataOptions of(String location, String format) {
    DataOptions options = new DataOptions();
    options.data = location;
    options.format = format;
    return options;
  }

  /**
   * Return whether ratings were named.
   *
   * @throws org.pecf.api.PecfException if they were not but other options say how to read them
   */
  public boolean given() {
    if (data == null
        && Stream.of(format, positive, minUser, minItem, duplicates, validationData, testData)
            .anyMatch(Objects::nonNull)) {
      throw Values.bad("options about data have no meaning here without --data. Add it");
    }
    return data != null;
  }

  /** Return whether parts split beforehand were named. */
  boolean presplit() {
    return validationData != null || testData != null;
  }

  /** Say what to load, filling in defaults; the format's options are left to others. */
  public DataRequest request() {
    DataRequest defaults = DataRequest.of(data == null ? "builtin:demo" : data);
    return new DataRequest(
        defaults.location(),
        Optional.ofNullable(validationData),
        Optional.ofNullable(testData),
        format == null ? defaults.format() : ProviderChoice.parse(format),
        positive == null ? defaults.positive() : PositiveRule.parse(positive),
        Values.atLeast("--min-user", minUser, 0, defaults.minUser()),
        Values.atLeast("--min-item", minItem, 0, defaults.minItem()),
        duplicates == null
            ? defaults.duplicates()
            : Values.choice("--duplicates", duplicates, DuplicatePolicy.values()));
  }
}
