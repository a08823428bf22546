package org.pecf.plugin.loaders.csv;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
          "delimiter cannot be '%s'. Write auto, %s, or one or two ASCII characters that are no letters, digits, quotes, signs or line ends."
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
        .or(
            () ->
                candidates.stream()
                    .filter(candidate -> agreement(candidate, options.quotes(), sample) > 0)
                    .findFirst())
        .orElse(",");
  }

  /** Return the share of lines with as many columns as the first; 0 if that has only one. */
  static double agreement(String delimiter, boolean quotes, Sample sample) {
    FieldSplitter splitter = new FieldSplitter(delimiter, quotes);
    int columns = 0;
    int agreeing = 0;
    for (Sample.Line line : sample.lines()) {
      int problem = splitter.split(sample.bytes(), line.from(), line.to());
      if (columns == 0) {
        columns = splitter.count();
      }
      if (columns < 2) {
        return 0;
      }
      agreeing += problem < 0 && splitter.count() == columns ? 1 : 0;
    }
    return (double) agreeing / sample.lines().size();
  }
}
