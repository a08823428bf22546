package org.pecf.plugin.loaders.csv;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.pecf.plugin.loaders.text.ColumnRole;

/** Know what columns are usually called. */
final class ColumnNames {
  private static final Map<ColumnRole, Set<String>> USUAL =
      Map.of(
          ColumnRole.USER,
          Set.of(
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
          ColumnRole.ITEM,
          Set.of(
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
          ColumnRole.RATING,
          Set.of("rating", "ratings", "score", "stars", "overall", "bookrating", "value"),
          ColumnRole.TIME,
          Set.of("time", "timestamp", "date", "unixreviewtime", "unixtime"));

  private ColumnNames() {}

  /** Return the position of the first column of a usual name, or -1. */
  static int find(List<String> header, ColumnRole role) {
    for (int i = 0; i < header.size(); i++) {
      String letters = header.get(i).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
      if (USUAL.get(role).contains(letters)) {
        return i;
      }
    }
    return -1;
  }
}
