package org.pecf.plugin.loaders.csv;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.DividedLine;
import org.pecf.plugin.loaders.text.Sample;

/**
 * The first lines of a text, divided at a delimiter.
 *
 * @param delimiter the delimiter
 * @param rows the columns of each line; none if its quotes are broken
 */
record CsvTable(String delimiter, List<List<String>> rows) {
  static final String AUTO = "auto";
  private static final int MOST_ROWS = 1000;

  /** The delimiters by name, in the order of preference when several are possible. */
  private static final Map<String, String> NAMED = named();

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
  static void checkDelimiter(String option) {
    String text = chosen(option);
    boolean ascii = text.chars().allMatch(letter -> letter > 0 && letter < 128);
    boolean free = text.chars().noneMatch(letter -> "\"\n\r.-+".indexOf(letter) >= 0);
    boolean digit = text.chars().anyMatch(Character::isLetterOrDigit);
    if (!option.equals(AUTO) && (text.isEmpty() || text.length() > 2 || !ascii || !free || digit)) {
      throw new IllegalArgumentException(
          "delimiter cannot be '%s'. Write auto, %s, or one or two ASCII characters that are not letters, digits, quotes, signs or line ends."
              .formatted(option, String.join(", ", NAMED.keySet())));
    }
  }

  private static String chosen(String option) {
    return NAMED.getOrDefault(option, option.equals("\\t") ? "\t" : option);
  }

  /**
   * Divide a sample at the delimiter that an option names or it shows; at commas if it shows none.
   */
  static CsvTable of(CsvLoaderProvider.Options options, Sample sample) {
    if (!options.delimiter().equals(AUTO)) {
      return of(chosen(options.delimiter()), options.quotes(), sample);
    }
    List<CsvTable> tables =
        NAMED.values().stream().map(delimiter -> of(delimiter, options.quotes(), sample)).toList();
    return tables.stream()
        .filter(table -> table.agreement() == 1)
        .findFirst()
        .map(
            first ->
                // Commas may be those of numbers such as 4,5 in columns between semicolons.
                tables.stream()
                    .filter(table -> first.delimiter.equals(",") && table.delimiter.equals(";"))
                    .filter(table -> table.agreement() == 1)
                    .filter(table -> table.usualColumns() > first.usualColumns())
                    .findFirst()
                    .orElse(first))
        .or(() -> tables.stream().filter(table -> table.agreement() > 0).findFirst())
        .orElseGet(() -> of(",", options.quotes(), sample));
  }

  private static CsvTable of(String delimiter, boolean quotes, Sample sample) {
    List<List<String>> rows = new ArrayList<>();
    for (int at = 0, end; at < sample.end() && rows.size() < MOST_ROWS; at = end + 1) {
      DividedLine line = DividedLine.of(sample.text(), at, delimiter, quotes);
      boolean right = line.badQuote() < 0;
      end = right ? line.end() : DividedLine.of(sample.text(), at, delimiter, false).end();
      if (end > at) {
        rows.add(right ? line.columns() : List.of());
      }
    }
    return new CsvTable(delimiter, rows);
  }

  /** Return the share of lines with the usual number of columns; 0 if that is only one. */
  double agreement() {
    int usual = usualColumns();
    return usual < 2
        ? 0
        : (double) rows.stream().filter(row -> row.size() == usual).count() / rows.size();
  }

  /** Return the number of columns that most lines have; of equals that of the earlier line. */
  int usualColumns() {
    Map<Integer, Integer> counts = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !row.isEmpty())
        .forEach(row -> counts.merge(row.size(), 1, Integer::sum));
    int usual = 0;
    for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
      usual = entry.getValue() > counts.getOrDefault(usual, 0) ? entry.getKey() : usual;
    }
    return usual;
  }

  /** Return whether most lines have numbers in their first two columns. */
  boolean numeric() {
    long numeric =
        rows.stream()
            .filter(
                row ->
                    row.size() > 1
                        && Digits.integer(row.get(0)).isPresent()
                        && Digits.integer(row.get(1)).isPresent())
            .count();
    return 2 * numeric > rows.size();
  }
}
