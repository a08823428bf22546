package org.pecf.engine.data;

/**
 * Name the parts that a pre-split source may come in. The ordinals are stored in {@link
 * Dataset#parts()}.
 */
public enum DataPart {
  /** To learn from. */
  TRAINING,
  /** To choose by. */
  VALIDATION,
  /** To report on. */
  TEST
}
