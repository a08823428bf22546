package org.pecf.serve;

import java.util.Locale;
import java.util.Objects;
import org.eclipse.jetty.http.HttpStatus;

/** A request that cannot be served, with the status and the reason to answer. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  private Refusal(int status, String detail) {
    super(detail, null, false, false);
    this.status = status;
  }

  static Refusal of(int status, String format, Object... arguments) {
    return new Refusal(
        status, arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments));
  }

  /** Refuse a request that cannot be understood. */
  static Refusal bad(String format, Object... arguments) {
    return of(HttpStatus.BAD_REQUEST_400, format, arguments);
  }

  /** Refuse a request for something that there is not. */
  static Refusal notFound(String format, Object... arguments) {
    return of(HttpStatus.NOT_FOUND_404, format, arguments);
  }

  /** Refuse a request that can be understood but not followed. */
  static Refusal unprocessable(String format, Object... arguments) {
    return of(HttpStatus.UNPROCESSABLE_ENTITY_422, format, arguments);
  }

  /** Return the status. */
  int status() {
    return status;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }
}
