package org.pecf.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.CommonOptions.LogLevel;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.run.Interruption;
import org.pecf.cli.run.RunLog;
import org.pecf.serve.AccessToken;
import org.pecf.serve.RecommendationServer;
import org.pecf.serve.ServerLimits;
import org.pecf.serve.ServerSettings;
import org.pecf.serve.TlsSettings;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that serves a model over HTTP. */
@CommandLine.Command(
    name = "serve",
    abbreviateSynopsis = true,
    description = "Serve a stored model over HTTP, with a page for people, until Ctrl-C.")
public final class ServeCommand extends Command {
  /** The environment variable that may hold the token. */
  private static final String TOKEN_VARIABLE = "PECF_SERVE_TOKEN";

  /** The environment variable that may hold the password of the key store. */
  private static final String PASSWORD_VARIABLE = "PECF_SERVE_TLS_PASSWORD";

  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(
      names = "--port",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The port to listen on; 0 for any that is free (default: 8080).")
  private int port = 8080;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "The address to listen on; 0.0.0.0 for all of this machine's (default: 127.0.0.1, which"
              + " others cannot reach).")
  private String host = ServerSettings.LOCAL_HOST;

  @Option(
      names = "--host-name",
      paramLabel = "NAME",
      split = ",",
      description =
          "A name by which clients call the service; requests for other names are refused;"
              + " repeatable (default: this machine's own names with the default --host, else"
              + " any).")
  private List<String> hostNames = new ArrayList<>();

  @Option(
      names = "--titles",
      paramLabel = "FILE",
      description = "Add the titles of items, from a file with an item per line: id, title.")
  private @Nullable Path titles;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Serve only who shows the token in this file (also: environment variable "
              + TOKEN_VARIABLE
              + ").")
  private @Nullable Path tokenFile;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Speak TLS with the key and certificate in this PKCS#12 file.")
  private @Nullable Path keyStore;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description =
          "The file with the key store's password (also: environment variable "
              + PASSWORD_VARIABLE
              + ").")
  private @Nullable Path passwordFile;

  @Option(
      names = "--access-log",
      paramLabel = "FILE",
      description = "Write a line per request to this file, or - for standard output.")
  private @Nullable Path accessLog;

  @Option(
      names = "--no-watch",
      description = "Do not look every second whether the folder holds another model.")
  private boolean noWatch;

  @Option(
      names = "--threads",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The number of threads that rank (default: one per processor).")
  private int threads = ServerLimits.DEFAULT.threads();

  @Option(
      names = "--max-count",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The most items in a list (default: 1000).")
  private int maxCount = ServerLimits.DEFAULT.count();

  @Option(
      names = "--max-ids",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The most ids in a list of a request (default: 10000).")
  private int maxIds = ServerLimits.DEFAULT.ids();

  @Option(
      names = "--max-body",
      converter = WholeNumber.class,
      paramLabel = "BYTES",
      description = "The largest body of a request (default: 1048576).")
  private int maxBody = ServerLimits.DEFAULT.bodyBytes();

  @Option(
      names = "--max-requests",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The most requests at work at once; others get status 503 (default: 256).")
  private int maxRequests = ServerLimits.DEFAULT.requests();

  @Option(
      names = "--max-seconds",
      converter = WholeNumber.class,
      paramLabel = "N",
      description = "The longest time for a request; after it comes status 503 (default: 10).")
  private int maxSeconds = (int) ServerLimits.DEFAULT.time().toSeconds();

  /** Create the command. */
  public ServeCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    RunLog.start(Optional.of(common().logLevel().orElse(LogLevel.WARN)), Optional.empty());
    ServerSettings settings = settings(System.getenv());
    CountDownLatch stop = new CountDownLatch(1);
    try (Interruption interruption =
            Interruption.listenPatiently(
                stop::countDown, () -> console().error("ended while requests were under way"));
        RecommendationServer server = RecommendationServer.start(settings)) {
      console().out().println("serving " + model + " at " + server.address());
      console().out().println("Ctrl-C stops it, after the requests under way");
      console().out().flush();
      while (!interruption.requested()) {
        stop.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    console().out().println("stopped");
    return 0;
  }

  private ServerSettings settings(Map<String, String> environment) {
    ServerLimits usual = ServerLimits.DEFAULT;
    return new ServerSettings(
        model,
        Optional.ofNullable(titles),
        host,
        port,
        new HashSet<>(hostNames),
        token(environment),
        tls(environment),
        new ServerLimits(
            maxCount,
            maxIds,
            maxBody,
            Duration.ofSeconds(maxSeconds),
            usual.idle(),
            maxRequests,
            usual.connections(),
            threads),
        Optional.ofNullable(accessLog),
        noWatch ? Optional.empty() : Optional.of(Duration.ofSeconds(1)),
        Duration.ofSeconds(maxSeconds));
  }

  private Optional<AccessToken> token(Map<String, String> environment) {
    if (tokenFile != null) {
      return Optional.of(AccessToken.read(tokenFile));
    }
    return Optional.ofNullable(environment.get(TOKEN_VARIABLE))
        .map(secret -> AccessToken.of(secret, "the environment variable " + TOKEN_VARIABLE));
  }

  private Optional<TlsSettings> tls(Map<String, String> environment) {
    if (keyStore == null) {
      if (passwordFile != null) {
        throw PecfException.badOption(
            "--tls-password-file has no effect without --tls-keystore. Name a key store, or leave"
                + " it out.");
      }
      return Optional.empty();
    }
    String password =
        passwordFile != null
            ? TlsSettings.readPassword(passwordFile)
            : environment.get(PASSWORD_VARIABLE);
    if (password == null) {
      throw PecfException.badOption(
          "--tls-keystore needs the key store's password. Name a file that holds it with"
              + " --tls-password-file, or set the environment variable %s.",
          PASSWORD_VARIABLE);
    }
    return Optional.of(TlsSettings.open(keyStore, password));
  }
}
