package org.pecf.engine.data;

/** A part of a pre-split source. The ordinals are stored in {@link Dataset#parts()}. */
public enum DataPart {
  /** The part to learn from. */
  TRAINING,
  /** The part to choose options by. */
  VALIDATION,
  /** The part to report on. */
  TEST
}
