package org.pecf.plugin.loaders.csv;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.plugin.Choices;
import org.pecf.api.support.ColumnRole;
import org.pecf.api.support.EpochUnit;
import org.pecf.plugin.loaders.csv.CsvLoaderProvider.Options;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.DelimitedParser.Layout;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TimeFormat;

/**
 * The way to read a delimited text, found out from the options and its first lines.
 *
 * @param layout the layout of its lines
 * @param ratings the columns of its first lines without the header
 * @param named whether the columns of users and items are known by their usual names or by options
 * @param notes remarks for the user, such as on times that are not read
 */
record CsvForm(Layout layout, List<List<String>> ratings, boolean named, List<String> notes) {
  private static final String ID = "csv";

  /** A number of seconds or milliseconds since 1970 that falls between 1989 and 2033. */
  private static final Pattern RECENT_TIME =
      Pattern.compile("([6-9]\\d{8}|1\\d{9})(\\d{3}|\\.\\d+)?");

  private static final Pattern JSON = Pattern.compile("\\s*(\\[\\s*)?\\{\\s*(\"|}|$)");
  private static final Pattern JSON_FIELD = Pattern.compile("\"([A-Za-z_]\\w*)\"\\s*:");

  private static final List<ColumnRole> ROLES =
      List.of(ColumnRole.USER, ColumnRole.ITEM, ColumnRole.RATING, ColumnRole.TIME);

  /**
   * Return the form of a text.
   *
   * @param place the beginning of messages
   * @param table the first lines of the text
   * @throws PecfException if the form cannot be found out
   */
  static CsvForm of(String place, Options options, Sample sample, CsvTable table) {
    if (table.rows().isEmpty()) {
      throw PecfException.badData(
          "%s holds no lines of text, so no ratings. Check that it is the right file.", place);
    }
    if (json(sample)) {
      throw PecfException.badData(
          "%s holds JSON, not delimited text. Convert it: jq -r '%s[%s] | @csv' %s > ratings.csv.",
          place, sample.lines().get(0).startsWith("[") ? ".[] | " : "", jsonFields(sample), place);
    }
    CsvForm form = new Reader(place, options, table, table.rows()).form();
    if (form.ratings().isEmpty()) {
      throw PecfException.badData(
          "%s has a header but no ratings. Name a file with lines below its header, or set"
              + " csv.header=no if this is a line of ratings.",
          place);
    }
    return form;
  }

  /** Return whether a text begins as JSON: with an object, or a list of such. */
  static boolean json(Sample sample) {
    return JSON.matcher(sample.lines().stream().limit(2).collect(Collectors.joining(" ")))
        .lookingAt();
  }

  /** Return the paths of the fields of ratings, as far as their names are usual ones. */
  private static String jsonFields(Sample sample) {
    String text = sample.lines().stream().limit(50).collect(Collectors.joining(" "));
    List<String> names =
        JSON_FIELD.matcher(text).results().map(field -> field.group(1)).distinct().toList();
    return ROLES.stream()
        .flatMap(
            role -> {
              OptionalInt found = role.find(names);
              return found.isPresent()
                  ? Stream.of("." + names.get(found.getAsInt()))
                  : role == ColumnRole.USER || role == ColumnRole.ITEM
                      ? Stream.of("." + role.word())
                      : Stream.of();
            })
        .collect(Collectors.joining(", "));
  }

  /** The knowledge from which the form is found out. */
  private record Reader(String place, Options options, CsvTable table, List<List<String>> rows) {

    CsvForm form() {
      List<String> first = rows.get(0);
      checkFirstLine();
      boolean header = hasHeader(first);
      List<List<String>> ratings = rows.subList(header ? 1 : 0, rows.size());
      boolean usual =
          header
              && ColumnRole.USER.find(first).isPresent()
              && ColumnRole.ITEM.find(first).isPresent();
      Map<ColumnRole, Integer> columns = new EnumMap<>(ColumnRole.class);
      for (ColumnRole role : ROLES) {
        int column = column(role, first, header, usual);
        if (column >= 0) {
          columns.put(role, column);
        }
      }
      // If one is named by an option and the other is guessed, they may be the same.
      for (ColumnRole a : columns.keySet()) {
        for (ColumnRole b : columns.keySet()) {
          if (a != b && columns.get(a).equals(columns.get(b))) {
            throw PecfException.badData(
                "%s: column %d cannot be both %s and %s. Set %s and %s, each to its own.",
                place,
                columns.get(a) + 1,
                a.word(),
                b.word(),
                a.setting(ID, "" + (columns.get(a) + 1)),
                b.setting(ID, "" + (columns.get(b) + 1)));
          }
        }
      }
      List<String> notes = new ArrayList<>();
      TimeFormat time = timeFormat(header, columns, ratings, notes);
      if (!columns.containsKey(ColumnRole.TIME) && notes.isEmpty()) {
        noteUnreadTimes(header ? first : List.of(), columns, ratings, notes);
      }
      List<ColumnRole> roles =
          new ArrayList<>(Collections.nCopies(first.size(), ColumnRole.SKIPPED));
      columns.forEach((role, column) -> roles.set(column, role));
      boolean named = usual || (!options.userColumn().isEmpty() && !options.itemColumn().isEmpty());
      return new CsvForm(
          new Layout(
              table.delimiter(),
              options.quotes(),
              header,
              roles,
              kind(columns, ColumnRole.USER, ratings),
              kind(columns, ColumnRole.ITEM, ratings),
              time,
              expected(roles)),
          ratings,
          named,
          List.copyOf(notes));
    }

    /**
     * Check that the first line, which decides on the columns, has as many as most lines have:
     * stray lines at the top of a table must not make it something else.
     */
    private void checkFirstLine() {
      int usual = table.usualColumns();
      List<String> first = rows.get(0);
      if (usual > 1 && !first.isEmpty() && first.size() != usual) {
        throw PecfException.badData(
            "%s:1:1: too %s columns: %d instead of %d, as most lines have, in '%s'. Correct this"
                + " line or leave it out.",
            place,
            first.size() < usual ? "few" : "many",
            first.size(),
            usual,
            Excerpt.of(String.join(table.delimiter(), first)));
      }
    }

    /** Note a column that looks like times but is not read. */
    private void noteUnreadTimes(
        List<String> header,
        Map<ColumnRole, Integer> columns,
        List<List<String>> ratings,
        List<String> notes) {
      if (options.timeColumn().equals(ColumnRole.NONE)) {
        return;
      }
      IntStream.range(0, rows.get(0).size())
          .filter(column -> !columns.containsValue(column))
          .filter(column -> looksLikeTime(values(column, ratings)))
          .findFirst()
          .ifPresent(
              column ->
                  notes.add(
                      "%s: column %s looks like times but is not read. Set %s to read it."
                          .formatted(
                              place,
                              header.isEmpty()
                                  ? column + 1
                                  : "'" + Excerpt.of(header.get(column)) + "'",
                              ColumnRole.TIME.setting(
                                  ID,
                                  header.isEmpty()
                                      ? Integer.toString(column + 1)
                                      : Excerpt.of(header.get(column))))));
    }

    private static boolean looksLikeTime(List<String> values) {
      return !values.isEmpty()
          && values.stream()
              .allMatch(
                  value ->
                      TimeFormat.DATE_TIME.read(value).isPresent()
                          || RECENT_TIME.matcher(value).matches());
    }

    private static List<String> values(int column, List<List<String>> ratings) {
      return ratings.stream()
          .filter(row -> row.size() > column)
          .map(row -> row.get(column))
          .toList();
    }

    private boolean hasHeader(List<String> first) {
      if (options.header() != Options.Header.AUTO) {
        return options.header() == Options.Header.YES;
      }
      for (ColumnRole role : ROLES) {
        String option = option(role);
        if (!option.isEmpty()
            && !option.equals(ColumnRole.NONE)
            && Digits.integer(option).isEmpty()) {
          return true;
        }
      }
      if (ColumnRole.USER.find(first).isPresent() && ColumnRole.ITEM.find(first).isPresent()) {
        return true;
      }
      // No name is known: a header has words above numbers.
      List<String> second = rows.size() > 1 ? rows.get(1) : first;
      boolean wordsAboveNumbers = false;
      for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
        if (DelimitedParser.number(first.get(i))) {
          return false;
        }
        wordsAboveNumbers |= DelimitedParser.number(second.get(i));
      }
      return wordsAboveNumbers;
    }

    private String option(ColumnRole role) {
      return switch (role) {
        case USER -> options.userColumn();
        case ITEM -> options.itemColumn();
        case RATING -> options.ratingColumn();
        case TIME -> options.timeColumn();
        case SKIPPED -> "";
      };
    }

    /** Return the column of a role, counted from 0, or -1 if there is none. */
    private int column(ColumnRole role, List<String> first, boolean header, boolean usual) {
      boolean optional = role == ColumnRole.RATING || role == ColumnRole.TIME;
      String option = option(role).strip();
      if (option.equals(ColumnRole.NONE) && optional) {
        return -1;
      }
      if (!option.isEmpty()) {
        return chosen(role, option, first, header);
      }
      if (header) {
        OptionalInt column = role.find(first);
        if (column.isEmpty() && !optional) {
          throw PecfException.badData(
              "%s:1:1: which column is the %s? The header names %s. Set %s, or another of them, or"
                  + " csv.header=no if this is a line of ratings.",
              place, role.word(), names(first), role.setting(ID, Excerpt.of(likely(role, first))));
        }
        return column.orElse(-1);
      }
      int column = ROLES.indexOf(role);
      if (column < first.size()) {
        return column;
      }
      if (optional) {
        return -1;
      }
      throw PecfException.badData(
          "%s:1:1: the line '%s' has a single column when divided at %s. Set csv.delimiter=';' or"
              + " whatever is between its columns.",
          place, Excerpt.of(String.join(table.delimiter(), first)), shown(table.delimiter()));
    }

    /** Return the column that an option names. */
    private int chosen(ColumnRole role, String option, List<String> first, boolean header) {
      if (header && first.contains(option)) {
        return first.indexOf(option);
      }
      if (Digits.integer(option).isPresent()) {
        long position = Long.parseLong(option);
        if (position >= 1 && position <= first.size()) {
          return (int) position - 1;
        }
        throw PecfException.badOption(
            "Option csv.%s-column is %s, but %s has %d columns when divided at %s. Set it to a"
                + " number from 1 to %d.",
            role.word(), option, place, first.size(), shown(table.delimiter()), first.size());
      }
      throw PecfException.badOption(
          "There is no column '%s' in %s.%s",
          Excerpt.of(option),
          place,
          header
              ? Choices.suggestion(option, first) + " Its header names " + names(first) + "."
              : " It is read without a header; give the column's position instead.");
    }

    /** Return the first column that is not known to be something else. */
    private static String likely(ColumnRole role, List<String> header) {
      List<String> others =
          ROLES.stream()
              .filter(other -> other != role && other.find(header).isPresent())
              .map(other -> header.get(other.find(header).getAsInt()))
              .toList();
      List<String> free = header.stream().filter(name -> !others.contains(name)).toList();
      int usual = role == ColumnRole.ITEM && free.size() > 1 && others.isEmpty() ? 1 : 0;
      return free.isEmpty() ? header.get(0) : free.get(usual);
    }

    private TimeFormat timeFormat(
        boolean header,
        Map<ColumnRole, Integer> columns,
        List<List<String>> ratings,
        List<String> notes) {
      if (options.timeFormat() != Options.Time.AUTO) {
        return TimeFormat.valueOf(options.timeFormat().name());
      }
      Integer column = columns.get(ColumnRole.TIME);
      if (column == null) {
        return TimeFormat.SECONDS;
      }
      List<String> values = values(column, ratings);
      for (TimeFormat format : List.of(TimeFormat.SECONDS, TimeFormat.DATE, TimeFormat.DATE_TIME)) {
        long[] fitting =
            values.stream().map(format::read).flatMapToLong(OptionalLong::stream).toArray();
        if (2 * fitting.length > values.size()) {
          return format == TimeFormat.SECONDS ? TimeFormat.of(EpochUnit.of(fitting)) : format;
        }
      }
      if (options.timeColumn().isEmpty() && !values.isEmpty()) {
        // No option asks for times, and the format of these is unknown.
        columns.remove(ColumnRole.TIME);
        if (header) {
          notes.add(
              "%s: times such as '%s' in column %d are not read, as their format is unknown."
                  .formatted(place, Excerpt.of(values.get(0)), column + 1));
        }
      }
      return TimeFormat.SECONDS;
    }

    private IdKind kind(
        Map<ColumnRole, Integer> columns, ColumnRole role, List<List<String>> ratings) {
      int column = Objects.requireNonNull(columns.get(role));
      return switch (options.ids()) {
        case INTEGER -> IdKind.INTEGER;
        case TEXT -> IdKind.TEXT;
        case AUTO ->
            ratings.stream()
                    .filter(row -> row.size() > column)
                    .allMatch(
                        row ->
                            Digits.integer(row.get(column)).isPresent()
                                || row.get(column).isEmpty())
                ? IdKind.INTEGER
                : IdKind.TEXT;
      };
    }

    private String expected(List<ColumnRole> roles) {
      String delimiter = table.delimiter();
      String between =
          delimiter.equals("\t") ? "<TAB>" : delimiter.equals(" ") ? "<SPACE>" : delimiter;
      return roles.stream()
          .map(role -> role == ColumnRole.SKIPPED ? "..." : role.word())
          .collect(Collectors.joining(between));
    }

    private static String names(List<String> header) {
      return header.stream()
          .map(name -> "'" + Excerpt.of(name) + "'")
          .collect(Collectors.joining(", "));
    }

    private static String shown(String delimiter) {
      return Arrays.asList("\t", " ").contains(delimiter)
          ? delimiter.equals("\t") ? "tabs" : "spaces"
          : "'" + delimiter + "'";
    }
  }
}
