package org.pecf.plugin.loaders.text;

import java.util.Locale;

/** Name what a column of a text file may hold. */
public enum ColumnRole {
  /** Who rated. */
  USER,
  /** What was rated. */
  ITEM,
  /** The rating. */
  RATING,
  /** When. */
  TIME,
  /** Something that is not read. */
  SKIPPED;

  /** Return the word for the role in messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
