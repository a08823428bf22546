package org.pecf.study;

import java.util.Locale;
import org.pecf.data.split.SplitRule;
import org.pecf.engine.evaluate.CandidatePolicy;

/** A way to divide data and to rank items, whose metrics on noise are compared with chance. */
enum Protocol {
  /** Hold out positives; every zero is a training cell. */
  POSITIVES("positives, known items left out", "positives:3:1:1", CandidatePolicy.ALL_BUT_KNOWN),
  /** Hold out a positive a user. */
  LEAVE_ONE_OUT("leave-one-out", "leave-one-out", CandidatePolicy.ALL_BUT_KNOWN),
  /** Hold out cells, zeros among them, and rank the test cells only. */
  PART_CELLS("all cells, test cells ranked", "cells:3:1:1", CandidatePolicy.PART_CELLS),
  /** Hold out cells, and rank zeros that training has seen beside them. */
  TRAINED_ZEROS(
      "all cells, trained zeros ranked too", "cells:3:1:1", CandidatePolicy.ALL_BUT_TRAINING),
  /** Hold out positives, and leave those of training in the list. */
  TRAINED_POSITIVES("positives, all items ranked", "positives:3:1:1", CandidatePolicy.ALL);

  private final String label;
  private final String split;
  private final CandidatePolicy candidates;

  Protocol(String label, String split, CandidatePolicy candidates) {
    this.label = label;
    this.split = split;
    this.candidates = candidates;
  }

  /** Return the name in files. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return a few words for legends. */
  String label() {
    return label;
  }

  /** Return how data is divided. */
  SplitRule split() {
    return SplitRule.parse(split);
  }

  /** Return which items are ranked. */
  CandidatePolicy candidates() {
    return candidates;
  }

  /** Return the options that ask for it. */
  String options() {
    return "--split " + split + " --candidates " + candidates.id();
  }
}
