package org.pecf.engine.model;

/** A way to open a model: how its files come into memory, and what is checked before it is used. */
public enum Opening {
  /**
   * The model is read into memory, after the checksums of its files are verified. Backends may use
   * it.
   */
  READ(false, true),

  /**
   * The model is mapped, after the checksums of its files are verified. The files are read twice:
   * now, and when they are used.
   */
  VERIFIED(true, true),

  /**
   * The model is mapped, in milliseconds whatever its size. Its manifest is verified, and its files
   * are as long as they should be and laid out as they should be; their content is not looked at. A
   * file that was damaged without a change of its length may give wrong answers, or an exception
   * when it is used.
   */
  MAPPED(true, false);

  private final boolean mapped;
  private final boolean verified;

  Opening(boolean mapped, boolean verified) {
    this.mapped = mapped;
    this.verified = verified;
  }

  /** Return whether files are mapped: only Java code may use them. */
  boolean mapped() {
    return mapped;
  }

  /** Return whether the content of files is verified before it is used. */
  boolean verified() {
    return verified;
  }
}
