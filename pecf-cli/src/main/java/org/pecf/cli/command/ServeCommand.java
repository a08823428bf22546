package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.cli.option.CommonOptions.LogLevel;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.run.Interruption;
import org.pecf.cli.run.RunLog;
import org.pecf.serve.AccessToken;
import org.pecf.serve.RecommendationServer;
import org.pecf.serve.ServerLimits;
import org.pecf.serve.ServerSettings;
import org.pecf.serve.TlsSettings;
import picocli.CommandLine;

/** The command that serves a model over HTTP. */
@CommandLine.Command(
    description = "Serve a stored model over HTTP, with a page for people, until Ctrl-C.")
public final class ServeCommand extends ModelCommand {
  /** The environment variable that may hold the token. */
  private static final String TOKEN_VARIABLE = "PECF_SERVE_TOKEN";

  /** The environment variable that may hold the password of the key store. */
  private static final String PASSWORD_VARIABLE = "PECF_SERVE_TLS_PASSWORD";

  /** The address, the clients and the limits. */
  private record Options(
      @Option(value = "The port to listen on; 0 for any that is free", defaultValue = "8080")
          int port,
      @Option(
              value = "The address to listen on; 0.0.0.0 for all of this machine's",
              label = "ADDRESS",
              defaultValue = ServerSettings.LOCAL_HOST,
              unset = ServerSettings.LOCAL_HOST + ", which others cannot reach")
          String host,
      @Option(
              value =
                  "A name by which clients call the service; requests for other names are refused;"
                      + " repeatable",
              key = "host-name",
              label = "NAME",
              unset = "this machine's own names with the default --host, else any")
          Optional<List<String>> hostNames,
      @Option(
              value = "Add the titles of items, from a file with an item per line: id, title",
              label = "FILE")
          Optional<Path> titles,
      @Option(
              value =
                  "Serve only clients that show the token in this file (also: environment variable "
                      + TOKEN_VARIABLE
                      + ")",
              label = "FILE")
          Optional<Path> tokenFile,
      @Option(
              value = "Speak TLS with the key and certificate in this PKCS#12 file",
              key = "tls-keystore",
              label = "FILE")
          Optional<Path> keyStore,
      @Option(
              value =
                  "The file with the key store's password (also: environment variable "
                      + PASSWORD_VARIABLE
                      + ")",
              key = "tls-password-file",
              label = "FILE")
          Optional<Path> passwordFile,
      @Option(
              value = "Write a line per request to this file, or - for standard output",
              label = "FILE")
          Optional<Path> accessLog,
      @Option(
              value = "Do not look every second whether the folder holds another model",
              defaultValue = "false")
          boolean noWatch,
      @Option(value = "The number of threads that rank", unset = "one per processor")
          Optional<Integer> threads,
      @Option(value = "The most items in a list", defaultValue = "1000") int maxCount,
      @Option(value = "The most ids in a list of a request", defaultValue = "10000") int maxIds,
      @Option(value = "The largest body of a request", label = "BYTES", defaultValue = "1048576")
          int maxBody,
      @Option(
              value = "The most requests at work at once; others get status 503",
              defaultValue = "256")
          int maxRequests,
      @Option(
              value = "The longest time for a request; after it comes status 503",
              defaultValue = "10")
          int maxSeconds) {
    ServerSettings settings(Path model, Map<String, String> environment) {
      ServerLimits usual = ServerLimits.DEFAULT;
      return new ServerSettings(
          model,
          titles,
          host,
          port,
          new HashSet<>(hostNames.orElse(List.of())),
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
              threads.orElse(usual.threads())),
          accessLog,
          noWatch ? Optional.empty() : Optional.of(Duration.ofSeconds(1)),
          Duration.ofSeconds(maxSeconds));
    }

    private Optional<AccessToken> token(Map<String, String> environment) {
      return tokenFile
          .map(AccessToken::read)
          .or(
              () ->
                  Optional.ofNullable(environment.get(TOKEN_VARIABLE))
                      .map(
                          secret ->
                              AccessToken.of(
                                  secret, "the environment variable " + TOKEN_VARIABLE)));
    }

    private Optional<TlsSettings> tls(Map<String, String> environment) {
      if (keyStore.isEmpty() && passwordFile.isPresent()) {
        throw PecfException.badOption(
            "--tls-password-file has no effect without --tls-keystore. Name a key store, or leave"
                + " it out.");
      }
      return keyStore.map(store -> TlsSettings.open(store, password(environment)));
    }

    private String password(Map<String, String> environment) {
      return passwordFile
          .map(TlsSettings::readPassword)
          .or(() -> Optional.ofNullable(environment.get(PASSWORD_VARIABLE)))
          .orElseThrow(
              () ->
                  PecfException.badOption(
                      "--tls-keystore needs the key store's password. Name a file that holds it"
                          + " with --tls-password-file, or set the environment variable %s.",
                      PASSWORD_VARIABLE));
    }
  }

  private final RecordOptions<Options> options =
      add(MethodHandles.lookup(), Options.class).repeatable("host-name", ",");

  @Override
  public int run() {
    RunLog.start(Optional.of(common().logLevel().orElse(LogLevel.WARN)), Optional.empty());
    ServerSettings settings = options.get().settings(model(), System.getenv());
    CountDownLatch stop = new CountDownLatch(1);
    try (Interruption interruption =
            Interruption.listenPatiently(
                stop::countDown, () -> console().error("ended while requests were under way"));
        RecommendationServer server = RecommendationServer.start(settings)) {
      console().out().println("serving " + model() + " at " + server.address());
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
}
