package org.pecf.plugin.loaders.csv;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.FieldSplitter;
import org.pecf.plugin.loaders.text.Sample;

/** The delimiters that may stand between columns. */
final class Delimiters {
  static final String AUTO = "auto";

  /** The delimiters by name, in the order of preference when several are possible. */
  private static final Map<String, String> NAMED = named();

  private Delimiters() {}

  private static Map<String, String> named() {
    Map<String, String> named = new LinkedHashMap<>();
    named.put("double-colon", "::");
    named.put("tab", "\t");
    named.put("comma", ",");
    named.put("semicolon", ";");
    named.put("pipe", "|");
    named.put("space", " ");
    return named;
  }

  /** Check that an option can be a delimiter. */
  static void check(String option) {
    String text = NAMED.getOrDefault(option, option.equals("\\t") ? "\t" : option);
    boolean ascii = text.chars().allMatch(letter -> letter > 0 && letter < 128);
    boolean free = text.chars().noneMatch(letter -> "\"\n\r.-+".indexOf(letter) >= 0);
    boolean digit = text.chars().anyMatch(Character::isLetterOrDigit);
    if (!option.equals(AUTO) && (text.isEmpty() || text.length() > 2 || !ascii || !free || digit)) {
      throw new IllegalArgumentException(
          "delimiter cannot be '%s'. Write auto, %s, or one or two ASCII characters that are not letters, digits, quotes, signs or line ends."
              .formatted(option, String.join(", ", NAMED.keySet())));
    }
  }

  /** Return the delimiter that an option names or a sample shows; a comma if it shows none. */
  static String of(CsvOptions options, Sample sample) {
    if (!options.delimiter().equals(AUTO)) {
      return NAMED.getOrDefault(
          options.delimiter(), options.delimiter().equals("\\t") ? "\t" : options.delimiter());
    }
    List<String> candidates = List.copyOf(NAMED.values());
    return candidates.stream()
        .filter(candidate -> agreement(candidate, options.quotes(), sample) == 1)
        .findFirst()
        .map(first -> first.equals(",") && decimal(options.quotes(), sample) ? ";" : first)
        .or(
            () ->
                candidates.stream()
                    .filter(candidate -> agreement(candidate, options.quotes(), sample) > 0)
                    .findFirst())
        .orElse(",");
  }

  /** Return whether commas are those of numbers such as 4,5 in columns between semicolons. */
  private static boolean decimal(boolean quotes, Sample sample) {
    return agreement(";", quotes, sample) == 1
        && usualColumns(";", quotes, sample) > usualColumns(",", quotes, sample);
  }

  /** Return the share of lines with the usual number of columns; 0 if that is only one. */
  static double agreement(String delimiter, boolean quotes, Sample sample) {
    Map<Integer, Integer> counts = counts(delimiter, quotes, sample);
    int usual = usual(counts);
    return usual < 2 ? 0 : (double) counts.getOrDefault(usual, 0) / sample.lines().size();
  }

  /** Return the number of columns that most lines have; of equals that of the earlier line. */
  static int usualColumns(String delimiter, boolean quotes, Sample sample) {
    return usual(counts(delimiter, quotes, sample));
  }

  /** Return whether most lines have numbers in their first two columns. */
  static boolean numeric(String delimiter, boolean quotes, Sample sample) {
    FieldSplitter splitter = new FieldSplitter(delimiter, quotes);
    long numeric =
        sample.lines().stream()
            .filter(
                line ->
                    splitter.split(sample.bytes(), line.from(), line.to()) < 0
                        && splitter.count() > 1
                        && Digits.canonical(sample.bytes(), splitter.start(0), splitter.end(0))
                        && Digits.canonical(sample.bytes(), splitter.start(1), splitter.end(1)))
            .count();
    return 2 * numeric > sample.lines().size();
  }

  private static int usual(Map<Integer, Integer> counts) {
    int usual = 0;
    for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
      usual = entry.getValue() > counts.getOrDefault(usual, 0) ? entry.getKey() : usual;
    }
    return usual;
  }

  /** Return the number of lines by their number of columns, those of the first lines first. */
  private static Map<Integer, Integer> counts(String delimiter, boolean quotes, Sample sample) {
    FieldSplitter splitter = new FieldSplitter(delimiter, quotes);
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    for (Sample.Line line : sample.lines()) {
      if (splitter.split(sample.bytes(), line.from(), line.to()) < 0) {
        counts.merge(splitter.count(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
