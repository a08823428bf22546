package org.pecf.cli.console;

/** The forms in which a run shows its progress. */
public enum ProgressForm {
  /** On a terminal a state that is redrawn, elsewhere lines. */
  AUTO,
  /** Lines. */
  LINES,
  /** A JSON object per line, for programs. */
  JSON,
  /** None. */
  NONE
}
