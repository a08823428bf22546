package org.pecf.serve;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.pecf.engine.json.JsonText;

/** A request and its only answer: the result of its work, or a refusal when its time is up. */
final class Exchange {
  static final String JSON_TYPE = "application/json";

  /** The headers that tell a browser to run nothing but the page's own files, and ask nobody. */
  private static final List<HttpField> PROTECTION =
      List.of(
          new PreEncodedHttpField(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
                  + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
          new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
          new PreEncodedHttpField("Referrer-Policy", "no-referrer"),
          new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin"),
          new PreEncodedHttpField("Cross-Origin-Opener-Policy", "same-origin"));

  /**
   * The description of a request that failed, as RFC 9457 has it.
   *
   * @param type always about:blank, as the status says what kind of problem it is
   * @param title the meaning of the status
   * @param status the HTTP status
   * @param detail the reason and the remedy
   */
  record Problem(String type, String title, int status, String detail) {}

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
    answer(JSON_TYPE, "no-store", json(record));
  }

  /**
   * Answer, unless there is an answer already.
   *
   * @param type the type of the content
   * @param caching whether and how long the content may be kept
   * @param content the content. Not modified.
   */
  void answer(String type, String caching, byte[] content) {
    if (answered.compareAndSet(false, true)) {
      write(response, callback, HttpStatus.OK_200, type, caching, content);
    }
  }

  /** Answer that a path is there for other methods only. */
  void refuse(Route.WrongMethod wrong) {
    response.getHeaders().put(HttpHeader.ALLOW, wrong.allowed());
    refuse(
        new Refusal(
            HttpStatus.METHOD_NOT_ALLOWED_405,
            "This path does not know the method. It knows %s.",
            wrong.allowed()));
  }

  /** Answer with a problem, unless there is an answer already. */
  void refuse(Refusal refusal) {
    if (answered.compareAndSet(false, true)) {
      HttpFields.Mutable headers = response.getHeaders();
      switch (refusal.getCode()) {
        case HttpStatus.UNAUTHORIZED_401 -> headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        case HttpStatus.SERVICE_UNAVAILABLE_503 -> headers.put(HttpHeader.RETRY_AFTER, "1");
        default -> {
          // No other status comes with a header of its own.
        }
      }
      if (request.getHeaders().contains(HttpHeader.EXPECT)
          || request.getLength() != 0 && refusal.getCode() != HttpStatus.NOT_FOUND_404) {
        // Part of the request may still be arriving.
        headers.put(HttpHeader.CONNECTION, "close");
      }
      writeProblem(response, callback, refusal.getCode(), refusal.getReason());
    }
  }

  /** Write a problem as an answer. */
  private static void writeProblem(
      Response response, Callback callback, int status, String detail) {
    write(
        response,
        callback,
        status,
        "application/problem+json",
        "no-store",
        json(new Problem("about:blank", HttpStatus.getMessage(status), status, detail)));
  }

  /** Answer a request that the server refused before it reached a route. */
  static boolean answerProblem(Request request, Response response, Callback callback) {
    Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
    if (cause instanceof HttpException refused) {
      // Another version of HTTP, or an unknown encoding, is the client's mistake all the same.
      boolean ours = refused.getCode() >= HttpStatus.INTERNAL_SERVER_ERROR_500;
      response.setStatus(ours ? HttpStatus.BAD_REQUEST_400 : refused.getCode());
    }
    int status = response.getStatus();
    if (status < HttpStatus.OK_200 || HttpStatus.hasNoBody(status)) {
      callback.succeeded();
    } else {
      writeProblem(response, callback, status, detail(status, cause));
    }
    return true;
  }

  private static String detail(int status, Object cause) {
    if (status >= HttpStatus.INTERNAL_SERVER_ERROR_500) {
      return status == HttpStatus.SERVICE_UNAVAILABLE_503
          ? "The service is stopping. Ask another one, or again later."
          : "The request met a defect of the service, which its log describes.";
    }
    return cause instanceof HttpException refused && refused.getReason() != null
        ? "The request is not valid HTTP: " + Refusal.quoted(refused.getReason()) + "."
        : "The request is not valid HTTP.";
  }

  private static byte[] json(Object record) {
    return JsonText.line(record).getBytes(StandardCharsets.UTF_8);
  }

  private static void write(
      Response response,
      Callback callback,
      int status,
      String type,
      String caching,
      byte[] content) {
    response.setStatus(status);
    HttpFields.Mutable headers = response.getHeaders();
    headers.put(HttpHeader.CONTENT_TYPE, type);
    headers.put(HttpHeader.CONTENT_LENGTH, content.length);
    headers.put(HttpHeader.CACHE_CONTROL, caching);
    PROTECTION.forEach(headers::put);
    response.write(true, ByteBuffer.wrap(content), callback);
  }
}
