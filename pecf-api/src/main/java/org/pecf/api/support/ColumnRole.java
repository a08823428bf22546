package org.pecf.api.support;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;

/**
 * The content of a column in a table of ratings. Each role knows the names that such columns
 * usually have, so that all loaders recognise the same ones.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum ColumnRole {
  /** The ids of the users. */
  USER(
      "user",
      "userid",
      "uid",
      "userno",
      "username",
      "customer",
      "customerid",
      "reviewer",
      "reviewerid",
      "profilename"),
  /** The ids of the items. */
  ITEM(
      "item",
      "itemid",
      "iid",
      "itemno",
      "movie",
      "movieid",
      "product",
      "productid",
      "book",
      "bookid",
      "isbn",
      "asin",
      "parentasin",
      "article",
      "articleid",
      "track",
      "trackid",
      "song",
      "songid",
      "artist",
      "artistid",
      "game",
      "gameid",
      "animeid"),
  /** The rating values. */
  RATING(
      "rating",
      "ratings",
      "score",
      "stars",
      "overall",
      "bookrating",
      "value",
      "feedback",
      "weight",
      "playcount",
      "plays"),
  /** The times of the ratings. */
  TIME("time", "timestamp", "date", "datetime", "unixreviewtime", "unixtime"),
  /** Anything else, which is not read. */
  SKIPPED;

  /** The name of no column: an option with this value leaves out ratings or times. */
  public static final String NONE = "none";

  private static final int MOST_LISTED = 20;
  private static final int MOST_LETTERS = 40;

  /** The usual names, most usual first. */
  private final List<String> usualNames;

  ColumnRole(String... usualNames) {
    this.usualNames = List.of(usualNames);
  }

  /** Return the word for the role in messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Return the position of the column with the most usual name of this role. Case and anything but
   * letters and digits make no difference.
   *
   * @param names the names of all columns. Not modified.
   */
  public OptionalInt find(List<String> names) {
    List<String> normalised = names.stream().map(ColumnRole::normalised).toList();
    return usualNames.stream().mapToInt(normalised::indexOf).filter(i -> i >= 0).findFirst();
  }

  /**
   * Return the position of the column of this role in a table with named columns.
   *
   * @param option the name of the column; empty to find it by its usual names, {@value #NONE} to
   *     read none
   * @param names the names of all columns. Not modified.
   * @param loader the id of the loader, for messages
   * @param place the table, for messages
   * @return the position, or empty if a rating or time is absent
   * @throws PecfException if there is no such column, or the user or item cannot be found
   */
  public OptionalInt choose(String option, List<String> names, String loader, String place) {
    boolean required = this == USER || this == ITEM;
    if (option.equals(NONE) && !required && !names.contains(NONE)) {
      return OptionalInt.empty();
    }
    if (option.isEmpty()) {
      OptionalInt found = find(names);
      if (found.isEmpty() && required) {
        throw PecfException.badData(
            "%s: which column is the %s?%s Its columns are: %s. Set %s, or another of them.",
            place,
            word(),
            Choices.suggestion(word(), names),
            listed(names),
            setting(loader, likeliest(word(), names)));
      }
      return found;
    }
    int first = names.indexOf(option);
    if (first < 0) {
      throw PecfException.badData(
          "%s: no column '%s'.%s Its columns are: %s. Set %s, or another of them.",
          place,
          shown(option),
          Choices.suggestion(option, names),
          listed(names),
          setting(loader, likeliest(option, names)));
    }
    if (names.lastIndexOf(option) > first) {
      throw PecfException.badData(
          "%s: more than one column '%s'. Its columns are: %s. Give each a name of its own.",
          place, shown(option), listed(names));
    }
    return OptionalInt.of(first);
  }

  /**
   * Return the setting that has a loader read this role from a column, as it is written: {@code
   * csv.user-column=reader}.
   *
   * @param loader the id of the loader
   * @param column the name or position of the column
   */
  public String setting(String loader, String column) {
    String quote = column.matches("[\\w.-]+") ? "" : "'";
    return loader + "." + word() + "-column=" + quote + shown(column) + quote;
  }

  private static String likeliest(String name, List<String> names) {
    return Choices.nearest(name, names).or(() -> names.stream().findFirst()).orElse(name);
  }

  private static String listed(List<String> names) {
    return names.stream()
            .limit(MOST_LISTED)
            .map(ColumnRole::shown)
            .collect(Collectors.joining(", "))
        + (names.size() > MOST_LISTED ? ", ..." : "");
  }

  /** Return a name without characters that control a terminal. */
  private static String shown(String name) {
    String text = name.replaceAll("\\p{Cntrl}", "?");
    return text.length() > MOST_LETTERS ? text.substring(0, MOST_LETTERS) + "..." : text;
  }

  private static String normalised(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
