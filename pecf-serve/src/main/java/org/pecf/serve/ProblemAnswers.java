package org.pecf.serve;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** The answers to requests that the server refuses before they reach a route. */
final class ProblemAnswers implements Request.Handler {
  private static final int BODY_FORBIDDEN_BELOW = 200;

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Object cause = request.getAttribute(ErrorHandler.ERROR_EXCEPTION);
    if (cause instanceof HttpException refused) {
      // Another version of HTTP, or an encoding that is not known: the client's affair all the
      // same.
      boolean ours = refused.getCode() >= HttpStatus.INTERNAL_SERVER_ERROR_500;
      response.setStatus(ours ? HttpStatus.BAD_REQUEST_400 : refused.getCode());
    }
    int status = response.getStatus();
    if (status < BODY_FORBIDDEN_BELOW || HttpStatus.hasNoBody(status)) {
      callback.succeeded();
      return true;
    }
    Exchange.writeProblem(response, callback, status, detail(status, cause));
    return true;
  }

  private static String detail(int status, Object cause) {
    if (status >= HttpStatus.INTERNAL_SERVER_ERROR_500) {
      return status == HttpStatus.SERVICE_UNAVAILABLE_503
          ? "The service is stopping. Ask another one, or again later."
          : "The request met a defect of the service, which its log describes.";
    }
    return cause instanceof HttpException refused && refused.getReason() != null
        ? "The request is not valid HTTP: " + Ids.quoted(refused.getReason()) + "."
        : "The request is not valid HTTP.";
  }
}
