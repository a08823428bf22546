package org.pecf.engine.evaluate;

/** Say which items are ranked for a user. */
public enum CandidatePolicy {
  /** All items but the user's training positives: the paper's protocol. */
  ALL_BUT_TRAINING,
  /** All items but the positives of every part other than the one evaluated. */
  ALL_BUT_KNOWN,
  /** Only cells of the evaluated part; needs a split of all cells. */
  PART_CELLS,
  /** All items. */
  ALL
}
