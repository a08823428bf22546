package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts that are too long for a table, such as plans of many filters, by the labels that stand
 * for them there.
 */
public final class Legend {
  private static final int LONGEST = 40;

  private final Map<String, String> labels = new LinkedHashMap<>();

  /** Return a text if it is short, or else its label: the same one for the same text. */
  public String shorten(String text) {
    return text.length() <= LONGEST
        ? text
        : labels.computeIfAbsent(text, added -> "[" + (labels.size() + 1) + "]");
  }

  /** Return the lines that say what labels stand for, each part of a list on a line of its own. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    labels.forEach(
        (text, label) -> {
          String before = label + " ";
          for (String part : text.split(", ", -1)) {
            lines.add(before + part);
            before = " ".repeat(before.length());
          }
        });
    return lines;
  }
}
