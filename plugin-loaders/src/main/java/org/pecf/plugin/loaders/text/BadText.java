package org.pecf.plugin.loaders.text;

/** Say what is wrong at a place of a file, before anybody has counted lines. */
public final class BadText extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long position;

  /**
   * Create the report.
   *
   * @param position how many bytes of decoded text come before the place
   * @param message what is wrong and how to mend it
   */
  public BadText(long position, String message) {
    super(message, null, false, false);
    this.position = position;
  }

  /** Return how many bytes of decoded text come before the place. */
  public long position() {
    return position;
  }
}
