package org.pecf.serve.answer;

/**
 * The description of a request that failed, as RFC 9457 has it.
 *
 * @param type always about:blank, as the status says what kind of problem it is
 * @param title the meaning of the status
 * @param status the HTTP status
 * @param detail the reason and the remedy
 */
public record Problem(String type, String title, int status, String detail) {
  /** Describe a problem. */
  public static Problem of(int status, String title, String detail) {
    return new Problem("about:blank", title, status, detail);
  }
}
