package org.pecf.plugin.duckdb;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Messages of DuckDB, which can have many lines and a picture of the query, as one line. */
final class OneLine {
  private static final int MOST = 300;

  /** The text that the driver puts before the message of a failed query. */
  private static final Pattern PREAMBLE =
      Pattern.compile("(?s)^.*closed pending query result\\s+Error: ");

  private static final Pattern REST = Pattern.compile("(?s)(\\R\\s*\\R|\\RStack Trace).*");

  private OneLine() {}

  static String of(@Nullable String message) {
    if (message == null) {
      return "it is damaged.";
    }
    String line = PREAMBLE.matcher(message).replaceFirst("");
    line = REST.matcher(line).replaceFirst("");
    line = line.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?").strip();
    line = line.length() > MOST ? line.substring(0, MOST) + "…" : line;
    return line.matches(".*[.!?…]") ? line : line + ".";
  }
}
