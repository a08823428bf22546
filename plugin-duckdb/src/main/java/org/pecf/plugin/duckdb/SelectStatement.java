package org.pecf.plugin.duckdb;

import java.util.List;
import java.util.Set;
import org.pecf.api.PecfException;

/**
 * A query that is exactly one SELECT according to DuckDB's own parser.
 *
 * @param text the text
 * @param tables the tables it names, some of which are files
 * @param texts the text literals in it, some of which are files
 */
record SelectStatement(String text, List<String> tables, List<String> texts) {
  /** The functions that a query may take rows from: others can write logs and profiles. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "generate_series",
          "json_each",
          "json_tree",
          "parquet_scan",
          "range",
          "read_csv",
          "read_csv_auto",
          "read_json",
          "read_json_auto",
          "read_ndjson",
          "read_ndjson_auto",
          "read_parquet",
          "repeat",
          "unnest");

  private static final String TREE = "json_serialize_sql(CAST(? AS VARCHAR))";

  /**
   * Parse a query.
   *
   * @throws PecfException if it is anything but one SELECT
   */
  static SelectStatement parse(DuckDb duckDb, String text) {
    List<String> problem =
        duckDb.texts(
            "SELECT message FROM (SELECT json_extract_string("
                + TREE
                + ", '$.error_message') AS message) WHERE message IS NOT NULL",
            text);
    if (!problem.isEmpty()) {
      throw PecfException.badData(
          "The query cannot be read: %s Write one SELECT statement.",
          DuckDb.oneLine(problem.get(0)));
    }
    List<String> statements =
        duckDb.texts(
            "SELECT CAST(json_array_length(" + TREE + ", '$.statements') AS VARCHAR)", text);
    if (!statements.equals(List.of("1"))) {
      throw PecfException.badData(
          "The query is %s statements, of which none was run. Write one SELECT statement.",
          statements.get(0));
    }
    for (String function : nodes(duckDb, text, "TABLE_FUNCTION", "$.function.function_name")) {
      if (!FUNCTIONS.contains(function)) {
        throw PecfException.badData(
            "The query takes rows from %s(), which queries of ratings may not. Name files in it"
                + " instead, as in FROM 'ratings.csv'.",
            DuckDb.oneLine(function).replaceFirst("\\.$", ""));
      }
    }
    return new SelectStatement(
        text,
        nodes(duckDb, text, "BASE_TABLE", "$.table_name"),
        nodes(duckDb, text, "VALUE_CONSTANT", "$.value.value"));
  }

  private static List<String> nodes(DuckDb duckDb, String text, String type, String path) {
    return duckDb.texts(
        "SELECT DISTINCT json_extract_string(value, '"
            + path
            + "') AS text FROM json_tree("
            + TREE
            + ") WHERE type = 'OBJECT' AND json_extract_string(value, '$.type') = '"
            + type
            + "' AND text IS NOT NULL ORDER BY text",
        text);
  }
}
