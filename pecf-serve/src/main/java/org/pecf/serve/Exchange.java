package org.pecf.serve;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.pecf.serve.answer.Problem;

/** A request and its answer, which is given once: by the work that it asks for, or for its time. */
final class Exchange {
  static final String JSON_TYPE = "application/json";
  static final String PROBLEM_TYPE = "application/problem+json";

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final AtomicBoolean answered = new AtomicBoolean();

  Exchange(Request request, Response response, Callback callback) {
    this.request = request;
    this.response = response;
    this.callback = callback;
  }

  /** Return the request. */
  Request request() {
    return request;
  }

  /** Return whether there is an answer. */
  boolean isAnswered() {
    return answered.get();
  }

  /** Answer with a record, as JSON. */
  void answer(Object record) {
    answer(HttpStatus.OK_200, JSON_TYPE, "no-store", Json.bytes(record));
  }

  /**
   * Answer, unless there is an answer already.
   *
   * @param status the status
   * @param type the type of the content
   * @param caching whether and how long the content may be kept
   * @param content the content. Not modified.
   */
  void answer(int status, String type, String caching, byte[] content) {
    if (answered.compareAndSet(false, true)) {
      write(status, type, caching, content);
    }
  }

  /** Answer with a problem, unless there is an answer already. */
  void refuse(int status, String detail) {
    if (answered.compareAndSet(false, true)) {
      HttpFields.Mutable headers = response.getHeaders();
      switch (status) {
        case HttpStatus.UNAUTHORIZED_401 -> headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        case HttpStatus.SERVICE_UNAVAILABLE_503 -> headers.put(HttpHeader.RETRY_AFTER, "1");
        default -> {
          // No other status comes with a header of its own.
        }
      }
      if (request.getHeaders().contains(HttpHeader.EXPECT)
          || request.getLength() != 0 && status != HttpStatus.NOT_FOUND_404) {
        closeAfter();
      }
      write(status, PROBLEM_TYPE, "no-store", problem(status, detail));
    }
  }

  /** Answer that a path is there for other methods only. */
  void refuseMethod(String allowed) {
    response.getHeaders().put(HttpHeader.ALLOW, allowed);
    refuse(
        HttpStatus.METHOD_NOT_ALLOWED_405,
        "This path does not know the method. It knows " + allowed + ".");
  }

  /** End the connection after the answer: part of the request may still be on its way. */
  private void closeAfter() {
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
  }

  /** Return the content that describes a problem. */
  static byte[] problem(int status, String detail) {
    return Json.bytes(Problem.of(status, HttpStatus.getMessage(status), detail));
  }

  private void write(int status, String type, String caching, byte[] content) {
    response.setStatus(status);
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, type);
    headers.put(HttpHeader.CONTENT_LENGTH, content.length);
    headers.put(HttpHeader.CACHE_CONTROL, caching);
    ProtectiveHeaders.add(headers);
    response.write(true, ByteBuffer.wrap(content), callback);
  }
}
