package org.pecf.study;

import java.util.Locale;

/** The tables and figures of a study. */
public enum StudyOutput {
  /** Table: recall of all methods. */
  RECALL,
  /** Table: influence of the latent dimension. */
  D,
  /** Table: influence of nu and sigma. */
  NU_SIGMA,
  /** Figures: recall and weighted error round by round. */
  ROUNDS,
  /** Figure: influence of alpha. */
  ALPHA,
  /** Figure: comparison with expectation maximisation. */
  EM,
  /** Figure: rho as a function of e. */
  RHO;

  /** Return the name in commands and files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
