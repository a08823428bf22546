package org.pecf.plugin.duckdb;

import java.util.Optional;
import java.util.Set;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;

/**
 * The columns of a table that hold ratings, cast to the types of a batch by DuckDB.
 *
 * @param user the users' column
 * @param item the items' column
 * @param rating the ratings' column
 * @param time the times' column
 */
record RatingQuery(
    DuckDb.Column user,
    DuckDb.Column item,
    Optional<DuckDb.Column> rating,
    Optional<DuckDb.Column> time) {
  private static final Set<String> INTEGERS =
      Set.of(
          "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "HUGEINT",
          "UTINYINT",
          "USMALLINT",
          "UINTEGER",
          "UBIGINT",
          "UHUGEINT");

  /** Return whether there are times and they are numbers, whose unit is unknown. */
  boolean timesAreNumbers() {
    return time.filter(column -> INTEGERS.contains(column.type())).isPresent();
  }

  /** Return whether times can be read from a column of a type. */
  static boolean isTime(String type) {
    return INTEGERS.contains(type) || isCertainlyTime(type) || type.equals("VARCHAR");
  }

  /** Return whether a column of a type holds times whatever its name is. */
  static boolean isCertainlyTime(String type) {
    return type.startsWith("TIMESTAMP") || type.equals("DATE");
  }

  /** Return the schema of the ratings. */
  RatingSchema schema() {
    return new RatingSchema(kind(user), kind(item), rating.isPresent(), time.isPresent());
  }

  /** Return the query that selects the columns, cast to the types of a batch. */
  String over(String source) {
    return "SELECT "
        + id(user)
        + ", "
        + id(item)
        + rating.map(column -> ", " + number(column)).orElse("")
        + time.map(column -> ", " + seconds(column)).orElse("")
        + " FROM ("
        + source
        + ")";
  }

  private static IdKind kind(DuckDb.Column column) {
    if (INTEGERS.contains(column.type())) {
      return IdKind.INTEGER;
    }
    if (column.type().equals("VARCHAR")
        || column.type().equals("UUID")
        || column.type().startsWith("ENUM")) {
      return IdKind.TEXT;
    }
    throw unreadable(column, "integers or texts");
  }

  private static String id(DuckDb.Column column) {
    return cast(column.reference(), kind(column) == IdKind.INTEGER ? "BIGINT" : "VARCHAR");
  }

  private static String number(DuckDb.Column column) {
    if (!INTEGERS.contains(column.type())
        && !column.type().equals("FLOAT")
        && !column.type().equals("DOUBLE")
        && !column.type().startsWith("DECIMAL")) {
      throw unreadable(column, "numbers");
    }
    return cast(column.reference(), "FLOAT");
  }

  private static String seconds(DuckDb.Column column) {
    if (INTEGERS.contains(column.type())) {
      return cast(column.reference(), "BIGINT");
    }
    if (column.type().startsWith("TIMESTAMP") || column.type().equals("DATE")) {
      return cast("floor(epoch(" + column.reference() + "))", "BIGINT");
    }
    if (column.type().equals("VARCHAR")) {
      return cast("floor(epoch(" + cast(column.reference(), "TIMESTAMP") + "))", "BIGINT");
    }
    throw unreadable(column, "integers (since 1970), timestamps, dates or texts of such");
  }

  private static String cast(String expression, String type) {
    return "CAST(" + expression + " AS " + type + ")";
  }

  private static PecfException unreadable(DuckDb.Column column, String readable) {
    return PecfException.badData(
        "Column '%s' is of type %s. Convert it to %s, or name another column.",
        column.name(), column.type(), readable);
  }
}
