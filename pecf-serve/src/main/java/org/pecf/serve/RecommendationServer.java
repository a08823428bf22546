package org.pecf.serve;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.AsyncRequestLogWriter;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.pecf.api.PecfException;
import org.pecf.serve.model.CurrentModel;
import org.pecf.serve.model.ModelWatch;

/**
 * A running service: the recommendations of a stored model over HTTP, and a page for people.
 *
 * <pre>{@code
 * try (RecommendationServer server = RecommendationServer.start(ServerSettings.of(Path.of("model")))) {
 *   System.out.println(server.address());
 * }
 * }</pre>
 *
 * <p>Closing it stops it in order: no connection is accepted any more, requests that are under way
 * get their answers, and the model's memory is released.
 */
public final class RecommendationServer implements AutoCloseable {
  private static final int HEADER_BYTES = 16 * 1024;
  private static final int HTTP_THREADS = 16;
  private static final String LOG_FORMAT =
      "%{client}a %{yyyy-MM-dd'T'HH:mm:ss.SSSZ|UTC}t \"%r\" %s %O %{ms}T";

  private final ServerSettings settings;
  private final CurrentModel current;
  private final ExecutorService workers;
  private final ExecutorService reloader;
  private final ServiceHandler handler;
  private final Server server;
  private final ServerConnector connector;
  private final ConnectionGuard guard;
  private final AutoCloseable watch;

  private RecommendationServer(ServerSettings settings) {
    this.settings = settings;
    InetAddress address = resolve(settings.host());
    current = new CurrentModel(settings.model(), settings.titles());
    workers = Executors.newFixedThreadPool(settings.limits().threads(), threads("pecf-rank"));
    reloader = Executors.newSingleThreadExecutor(threads("pecf-reload"));
    QueuedThreadPool pool = new QueuedThreadPool(HTTP_THREADS, 2);
    pool.setName("pecf-http");
    pool.setDaemon(true);
    ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler("pecf-timer", true);
    // Connections share no buffers: if one were released twice, a client could receive another's
    // bytes.
    server = new Server(pool, scheduler, ByteBufferPool.NON_POOLING);
    guard = new ConnectionGuard(scheduler, settings.limits());
    connector = connector(address);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(settings.limits().connections(), server));
    handler =
        new ServiceHandler(settings, hosts(settings, address), current, workers, reloader, guard);
    server.setHandler(new GracefulHandler(handler));
    server.setErrorHandler(Exchange::answerProblem);
    server.setStopTimeout(settings.grace().toMillis());
    settings.accessLog().ifPresent(file -> server.setRequestLog(accessLog(file.toString())));
    watch =
        settings.watch().isPresent() ? new ModelWatch(current, settings.watch().get()) : () -> {};
  }

  /**
   * Open the model and start to serve it.
   *
   * @throws PecfException if the model or the titles cannot be read, or the address is taken
   */
  public static RecommendationServer start(ServerSettings settings) {
    RecommendationServer server = new RecommendationServer(settings);
    try {
      server.server.start();
      return server;
    } catch (Exception e) {
      server.close();
      if (cause(e) instanceof BindException || cause(e) instanceof IOException) {
        throw PecfException.resources(
                "The service cannot listen on %s, port %d (%s). Choose another port or address, or"
                    + " end what uses this one.",
                settings.host(), settings.port(), cause(e).getMessage())
            .causedBy(e);
      }
      throw PecfException.internal("The service did not start: %s.", e).causedBy(e);
    }
  }

  private static Throwable cause(Throwable problem) {
    Throwable cause = problem;
    while (!(cause instanceof BindException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw PecfException.badOption(
              "The address '%s' is not known. Give an address of this machine, such as 127.0.0.1,"
                  + " or 0.0.0.0 for all of them.",
              host)
          .causedBy(e);
    }
  }

  private static ThreadFactory threads(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Return the host names to answer to. A service for this machine alone answers only to this
   * machine's names: otherwise a page on the web could point a name of its own here, and the
   * browser would let it in.
   */
  private static Set<String> hosts(ServerSettings settings, InetAddress address) {
    if (!settings.hostNames().isEmpty()) {
      return settings.hostNames().stream()
          .map(name -> name.toLowerCase(Locale.ROOT))
          .collect(Collectors.toCollection(TreeSet::new));
    }
    return address.isLoopbackAddress()
        ? new TreeSet<>(List.of("localhost", "127.0.0.1", "::1", address.getHostAddress()))
        : Set.of();
  }

  private ServerConnector connector(InetAddress address) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    // Buffers for single requests are cheapest on the heap.
    http.setUseInputDirectByteBuffers(false);
    http.setUseOutputDirectByteBuffers(false);
    // Paths are split before they are decoded, so an encoded slash in an id is not a separator.
    http.setUriCompliance(
        UriCompliance.DEFAULT.with(
            "pecf",
            UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
            UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
            UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS));
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    ServerConnector made =
        settings
            .tls()
            .map(
                tls -> {
                  http.addCustomizer(new SecureRequestCustomizer(false));
                  SslContextFactory.Server context = new SslContextFactory.Server();
                  context.setKeyStore(tls.keyStore());
                  context.setKeyStorePassword(tls.password());
                  context.setIncludeProtocols("TLSv1.3", "TLSv1.2");
                  return new ServerConnector(
                      server, new SslConnectionFactory(context, plain.getProtocol()), plain);
                })
            .orElseGet(() -> new ServerConnector(server, plain));
    made.setHost(address.getHostAddress());
    made.setPort(settings.port());
    made.setIdleTimeout(settings.limits().idle().toMillis());
    made.addBean(guard);
    return made;
  }

  private static RequestLog accessLog(String file) {
    // The process may have redirected System.out.
    return new CustomRequestLog(
        file.equals("-")
            ? new PrintStream(
                    new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)
                ::println
            : new AsyncRequestLogWriter(file),
        LOG_FORMAT);
  }

  /** Return the address to call, with the port that is in use. */
  public URI address() {
    InetAddress address = resolve(settings.host());
    String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
    return URI.create(
        (settings.tls().isPresent() ? "https" : "http")
            + "://"
            + (host.contains(":") ? "[" + host + "]" : host)
            + ":"
            + connector.getLocalPort()
            + "/");
  }

  /** Return the number of models that took the place of another. */
  public int reloads() {
    return current.reloads();
  }

  /** Return the number of open connections. */
  public int connections() {
    return guard.connections();
  }

  /** Stop in order. */
  @Override
  public void close() {
    handler.announceStop();
    try {
      server.stop();
    } catch (Exception e) {
      throw PecfException.internal("The service did not stop in order: %s.", e).causedBy(e);
    } finally {
      workers.shutdown();
      reloader.shutdown();
      try {
        watch.close();
        workers.awaitTermination(settings.grace().toMillis(), TimeUnit.MILLISECONDS);
      } catch (Exception e) {
        Thread.currentThread().interrupt();
      }
      current.close();
    }
  }
}
