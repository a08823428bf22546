package org.pecf.api;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * Report one problem in words its reader can act on: what is wrong, where, and how to mend it.
 *
 * <p>It is the only exception type that crosses the SPI on purpose; anything else that escapes a
 * plugin is reported as a fault of that plugin.
 *
 * @since 0.1
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class PecfException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** Create the report of a problem that no other exception caused. */
  public PecfException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /**
   * Create the report of a problem.
   *
   * @param code the kind of problem, which also says who can mend it
   * @param message one or a few sentences: what, where, remedy
   * @param cause what caused it, or null
   */
  public PecfException(ErrorCode code, String message, Throwable cause) {
    super(Objects.requireNonNull(message), cause);
    this.code = Objects.requireNonNull(code);
  }

  /** Return the kind of problem. */
  public ErrorCode code() {
    return code;
  }
}
