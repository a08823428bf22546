package org.pecf.plugin.loaders.text;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of a text, divided at its delimiters for recognition and messages.
 *
 * @param columns the columns, within their quotes
 * @param starts the indices at which they begin, with their quotes
 * @param end the index of the end of the line
 * @param badQuote the index of a quote that is not closed, or not followed by a delimiter; -1 if
 *     there is none
 */
public record DividedLine(List<String> columns, List<Integer> starts, int end, int badQuote) {
  /**
   * Divide the first line of a text.
   *
   * @param quotes whether a column may be in double quotes, with quotes inside it doubled
   */
  public static DividedLine of(String text, String delimiter, boolean quotes) {
    return of(text, 0, delimiter, quotes);
  }

  /**
   * Divide the line that begins at an index.
   *
   * @param quotes whether a column may be in double quotes, with quotes inside it doubled
   */
  public static DividedLine of(String text, int from, String delimiter, boolean quotes) {
    List<String> columns = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    int badQuote = -1;
    int at = from;
    for (boolean more = true; more; at += more ? delimiter.length() : 0) {
      int start = at;
      starts.add(start);
      boolean quoted = quotes && text.startsWith("\"", start);
      int close = quoted ? closingQuote(text, start) : start;
      at = close;
      while (!endsAt(text, at) && !text.startsWith(delimiter, at)) {
        at++;
      }
      columns.add(quoted ? text.substring(start + 1, close) : text.substring(start, at));
      if (quoted && at != close + 1 && badQuote < 0) {
        badQuote = close < text.length() ? close : start;
      }
      more = !endsAt(text, at);
    }
    return new DividedLine(columns, starts, at, badQuote);
  }

  private static boolean endsAt(String text, int at) {
    return at >= text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r';
  }

  /** Return the index of the quote that closes one, or the end of the text. */
  private static int closingQuote(String text, int open) {
    int close = text.indexOf('"', open + 1);
    while (close >= 0 && text.startsWith("\"", close + 1)) {
      close = text.indexOf('"', close + 2);
    }
    return close < 0 ? text.length() : close;
  }

  /** Return the index at which a column begins, or the end of the line if it has no such column. */
  public int start(int column) {
    return column < starts.size() ? starts.get(column) : end;
  }
}
