package org.pecf.engine.data;

/** Say which of several ratings of one cell counts. */
public enum DuplicatePolicy {
  /** The one that comes last in the source. */
  LAST,
  /** The one that comes first in the source. */
  FIRST,
  /** The highest. */
  HIGHEST,
  /** None: a repeated cell is an error. */
  REJECT
}
