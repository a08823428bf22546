package org.pecf.serve;

import java.util.Locale;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;

/** A request that cannot be served, with the status and the reason to answer. */
final class Refusal extends HttpException.RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_QUOTED = 80;

  Refusal(int status, String format, Object... arguments) {
    super(status, arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments));
  }

  /** Refuse a request that cannot be understood. */
  static Refusal bad(String format, Object... arguments) {
    return new Refusal(HttpStatus.BAD_REQUEST_400, format, arguments);
  }

  /** Refuse a request for something that there is not. */
  static Refusal notFound(String format, Object... arguments) {
    return new Refusal(HttpStatus.NOT_FOUND_404, format, arguments);
  }

  /** Refuse a request that can be understood but not followed. */
  static Refusal unprocessable(String format, Object... arguments) {
    return new Refusal(HttpStatus.UNPROCESSABLE_ENTITY_422, format, arguments);
  }

  /** Return a text of a client as a message may repeat it: short, without control characters. */
  static String quoted(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= LONGEST_QUOTED ? plain : plain.substring(0, LONGEST_QUOTED) + "…";
  }

  /** Leave out where it was thrown, which nobody reads and many may ask for. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
