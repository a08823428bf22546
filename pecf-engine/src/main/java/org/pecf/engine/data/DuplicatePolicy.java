package org.pecf.engine.data;

/** The choice of the rating that counts among several of one cell. */
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
