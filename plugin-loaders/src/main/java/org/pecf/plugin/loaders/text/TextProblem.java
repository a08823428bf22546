package org.pecf.plugin.loaders.text;

/** A problem at a position of a text file, whose line is not known yet. */
public final class TextProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long position;

  /**
   * Create the report.
   *
   * @param position the number of bytes of unpacked text before the place
   * @param message the problem and how to fix it
   */
  public TextProblem(long position, String message) {
    super(message, null, false, false);
    this.position = position;
  }

  /** Return the number of bytes of unpacked text before the place. */
  public long position() {
    return position;
  }
}
