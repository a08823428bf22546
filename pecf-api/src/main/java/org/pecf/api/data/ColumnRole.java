package org.pecf.api.data;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The content of a column in a table of ratings. Each role knows the names that such columns
 * usually have, so that all loaders recognise the same ones.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
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
  RATING("rating", "ratings", "score", "stars", "overall", "bookrating", "value"),
  /** The times of the ratings. */
  TIME("time", "timestamp", "date", "unixreviewtime", "unixtime"),
  /** Anything else, which is not read. */
  SKIPPED;

  private final Set<String> usualNames;

  ColumnRole(String... usualNames) {
    this.usualNames = Set.of(usualNames);
  }

  /** Return the word for the role in messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Return the position of the first column with a usual name of this role. Case and anything but
   * letters and digits make no difference.
   *
   * @param names the names of all columns. Not modified.
   */
  public OptionalInt find(List<String> names) {
    return IntStream.range(0, names.size())
        .filter(i -> usualNames.contains(normalised(names.get(i))))
        .findFirst();
  }

  private static String normalised(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }
}
