package org.pecf.serve;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.util.thread.Scheduler;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.serve.model.CurrentModel;

/**
 * The way of a request: host and token are checked, its route is found, its body read, and the
 * model asked on a thread for that. Nothing here waits.
 */
final class ServiceHandler extends Handler.Abstract.NonBlocking {
  private static final Logger LOG = LogManager.getLogger(ServiceHandler.class);
  private static final String OTHER = "other";

  /** How much of a body that is too large is read, in multiples of the limit. */
  private static final long PATIENCE = 16;

  private final ServerSettings settings;
  private final Set<String> hosts;
  private final CurrentModel current;
  private final ModelAnswers answers;
  private final PageParts page = new PageParts();
  private final ServiceMetrics metrics;
  private final Semaphore permits;
  private final ExecutorService workers;
  private final Executor reloader;
  private final ConnectionGuard guard;
  private final AtomicBoolean stopping = new AtomicBoolean();

  /**
   * Create a handler.
   *
   * @param settings the settings
   * @param hosts the names by which the service may be called; if empty, all
   * @param current the model in use; borrowed
   * @param workers the threads that ask the model; borrowed
   * @param reloader runs what reloads the model; borrowed
   * @param guard told when requests begin and end
   */
  ServiceHandler(
      ServerSettings settings,
      Set<String> hosts,
      CurrentModel current,
      ExecutorService workers,
      Executor reloader,
      ConnectionGuard guard) {
    this.settings = settings;
    this.hosts = hosts;
    this.current = current;
    this.answers = new ModelAnswers(current, settings.limits());
    this.permits = new Semaphore(settings.limits().requests());
    this.metrics =
        new ServiceMetrics(
            current, () -> settings.limits().requests() - permits.availablePermits());
    this.workers = workers;
    this.reloader = reloader;
    this.guard = guard;
  }

  /** Say from now on that the service is not ready. */
  void announceStop() {
    stopping.set(true);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    long began = System.nanoTime();
    Connection connection = request.getConnectionMetaData().getConnection();
    guard.requestBegins(connection);
    Exchange exchange = new Exchange(request, response, callback);
    String[] route = {OTHER};
    Request.addCompletionListener(
        request,
        failure -> {
          guard.requestEnds(connection);
          metrics.answered(route[0], response.getStatus(), System.nanoTime() - began);
        });
    try {
      checkHost(request);
      Route.Match match =
          Route.find(request.getMethod(), String.valueOf(request.getHttpURI().getPath()));
      route[0] = match.route().template();
      checkToken(request, match.route());
      if (match.route().isLight()) {
        answer(exchange, match);
      } else {
        admit(exchange, match);
      }
    } catch (Route.WrongMethod e) {
      exchange.refuse(e);
    } catch (RuntimeException | Error e) {
      fail(exchange, e);
    }
    return true;
  }

  private void checkHost(Request request) {
    String name = Request.getServerName(request);
    if (!hosts.isEmpty()
        && (name == null
            || !hosts.contains(name.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT)))) {
      throw new Refusal(
          HttpStatus.MISDIRECTED_REQUEST_421,
          "The service does not answer to this host name. It was started for: %s.",
          String.join(", ", hosts));
    }
  }

  private void checkToken(Request request, Route route) {
    Optional<AccessToken> token = settings.token();
    if (route.access() == Route.Access.OPEN
        || token.isEmpty() && route.access() == Route.Access.TOKEN) {
      return;
    }
    if (token.isEmpty()) {
      throw new Refusal(
          HttpStatus.FORBIDDEN_403,
          "This needs a token, and the service was started without one. Start it with a token"
              + " file.");
    }
    String shown =
        Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)).orElse("");
    if (!shown.regionMatches(true, 0, "Bearer ", 0, 7)
        || !token.get().matches(shown.substring(7).strip())) {
      throw new Refusal(
          HttpStatus.UNAUTHORIZED_401,
          "This needs the service's token. Send it in a header: Authorization: Bearer TOKEN.");
    }
  }

  private void answer(Exchange exchange, Route.Match match) {
    switch (match.route()) {
      case PAGE -> answerPart(exchange, "index.html");
      case PAGE_PART -> answerPart(exchange, match.variable());
      case DESCRIPTION -> exchange.answer(Exchange.JSON_TYPE, "no-cache", page.description());
      case LIVE -> exchange.answer(Map.of("status", "alive"));
      case READY -> {
        if (stopping.get()) {
          exchange.refuse(stopping());
        } else {
          exchange.answer(Map.of("status", "ready"));
        }
      }
      default -> exchange.answer(metrics.contentType(), "no-store", metrics.text());
    }
  }

  private void answerPart(Exchange exchange, String name) {
    PageParts.Part part =
        page.find(name).orElseThrow(() -> Refusal.notFound("The page has no such part."));
    exchange.answer(part.type(), "no-cache", part.content());
  }

  /** Admit a request if there is room, and make sure that it is answered in time. */
  private void admit(Exchange exchange, Route.Match match) {
    if (!permits.tryAcquire()) {
      throw new Refusal(
          HttpStatus.SERVICE_UNAVAILABLE_503,
          "The service works on %d requests already. Try again in a second.",
          settings.limits().requests());
    }
    AtomicBoolean reading = new AtomicBoolean(match.route().hasBody());
    Scheduler.Task limit =
        match.route() == Route.RELOAD
            ? () -> true
            : exchange
                .request()
                .getComponents()
                .getScheduler()
                .schedule(
                    () -> expire(exchange, reading.get()),
                    settings.limits().time().toMillis(),
                    TimeUnit.MILLISECONDS);
    Runnable end =
        () -> {
          limit.cancel();
          permits.release();
        };
    try {
      if (match.route().hasBody()) {
        checkBody(exchange.request());
        readBody(
            exchange.request(),
            body -> {
              reading.set(false);
              submit(exchange, match, body, end);
            },
            problem -> {
              reading.set(false);
              exchange.refuse(problem);
              end.run();
            });
      } else {
        submit(exchange, match, new byte[0], end);
      }
    } catch (RuntimeException | Error e) {
      end.run();
      throw e;
    }
  }

  /** Answer a request whose time is up. */
  private void expire(Exchange exchange, boolean reading) {
    if (exchange.isAnswered()) {
      return;
    }
    if (reading) {
      exchange.refuse(
          new Refusal(
              HttpStatus.REQUEST_TIMEOUT_408,
              "The body did not arrive within %d milliseconds.",
              settings.limits().time().toMillis()));
      exchange.request().fail(new IllegalStateException("the body took too long"));
    } else {
      exchange.refuse(
          new Refusal(
              HttpStatus.SERVICE_UNAVAILABLE_503,
              "The answer took longer than %d milliseconds. Ask for less, or try again.",
              settings.limits().time().toMillis()));
    }
  }

  private void checkBody(Request request) {
    String type =
        Optional.ofNullable(request.getHeaders().get(HttpHeader.CONTENT_TYPE)).orElse("none");
    if (!type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;\\s*charset=\"?utf-8\"?)?")) {
      throw new Refusal(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE_415,
          "The body is of type '%s'. Send application/json.",
          Refusal.quoted(type));
    }
    int most = settings.limits().bodyBytes();
    long length = request.getLength();
    if (length > (request.getHeaders().contains(HttpHeader.EXPECT) ? most : most * PATIENCE)) {
      throw tooLarge();
    }
  }

  private Refusal tooLarge() {
    return new Refusal(
        HttpStatus.PAYLOAD_TOO_LARGE_413,
        "The body is larger than %d bytes.",
        settings.limits().bodyBytes());
  }

  /**
   * Read a body as it comes. If it is too large, the rest is read and dropped up to some size: a
   * client that is still sending when the connection is closed would not see the answer.
   */
  private void readBody(Request request, Consumer<byte[]> whole, Consumer<Refusal> refused) {
    int most = settings.limits().bodyBytes();
    Content.Source.asByteArrayAsync(
        Content.Source.from(request, 0, most + 1L),
        Integer.MAX_VALUE,
        Promise.Invocable.from(
            InvocationType.NON_BLOCKING,
            body -> {
              if (body.length <= most) {
                whole.accept(body);
              } else {
                Content.Source.consumeAll(
                    Content.Source.from(request, 0, most * (PATIENCE - 1)),
                    Callback.from(
                        InvocationType.NON_BLOCKING,
                        () -> refused.accept(tooLarge()),
                        problem -> refused.accept(tooLarge())));
              }
            },
            problem ->
                refused.accept(
                    problem instanceof HttpException known
                        ? new Refusal(known.getCode(), "The body is not valid HTTP.")
                        : Refusal.bad("The body did not arrive whole."))));
  }

  private void submit(Exchange exchange, Route.Match match, byte[] body, Runnable end) {
    Runnable work =
        () -> {
          try {
            if (!exchange.isAnswered()) {
              exchange.answer(work(match, exchange.request().getHttpURI().getQuery(), body));
            }
          } catch (RuntimeException | Error e) {
            fail(exchange, e);
          } finally {
            end.run();
          }
        };
    try {
      (match.route() == Route.RELOAD ? reloader : workers).execute(work);
    } catch (RejectedExecutionException e) {
      exchange.refuse(stopping());
      end.run();
    }
  }

  private Object work(Route.Match match, String query, byte[] body) {
    if (match.route() != Route.RELOAD) {
      return answers.answer(match.route(), match.variable(), query, body);
    }
    try {
      current.reload();
    } catch (PecfException e) {
      throw new Refusal(
          HttpStatus.CONFLICT_409, "%s The model in use stays.", Refusal.quoted(e.getMessage()));
    }
    return answers.answer(Route.MODEL, "", null, body);
  }

  private static Refusal stopping() {
    return new Refusal(HttpStatus.SERVICE_UNAVAILABLE_503, "The service is stopping.");
  }

  private static void fail(Exchange exchange, Throwable problem) {
    if (problem instanceof Refusal refusal) {
      exchange.refuse(refusal);
    } else if (problem instanceof PecfException known && known.code() != ErrorCode.INTERNAL) {
      // The request itself has been checked, so this is something that the model cannot do.
      exchange.refuse(Refusal.unprocessable("%s", known.getMessage()));
    } else {
      LOG.error("a request met a defect", problem);
      exchange.refuse(
          new Refusal(
              HttpStatus.INTERNAL_SERVER_ERROR_500,
              "The request met a defect of the service, which its log describes."));
    }
  }
}
