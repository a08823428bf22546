package org.pecf.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.pecf.api.PecfException;

/**
 * The settings of a service.
 *
 * @param model the folder of the model
 * @param titles a file with titles of items, if there is one
 * @param host the address to listen on
 * @param port the port to listen on; 0 for any that is free
 * @param hostNames the names by which clients may call the service; if empty, those of this machine
 *     itself where it listens to this machine only, else all
 * @param token the secret that clients must show, if they must
 * @param tls the certificate, if the service speaks TLS
 * @param limits the limits that it sets to clients
 * @param accessLog the file that gets a line per request, or - for standard output
 * @param watch the time between two looks for another model, if the folder is watched
 * @param grace the longest time to wait for requests when the service stops
 */
public record ServerSettings(
    Path model,
    Optional<Path> titles,
    String host,
    int port,
    Set<String> hostNames,
    Optional<AccessToken> token,
    Optional<TlsSettings> tls,
    ServerLimits limits,
    Optional<Path> accessLog,
    Optional<Duration> watch,
    Duration grace) {
  /** The address of this machine that others cannot reach. */
  public static final String LOCAL_HOST = "127.0.0.1";

  /** The largest number that a port can have. */
  private static final int LAST_PORT = 65_535;

  public ServerSettings {
    if (port < 0 || port > LAST_PORT) {
      throw PecfException.badOption(
          "The port cannot be %d. Give a number from 1 to %d, or 0 for any free one.",
          port, LAST_PORT);
    }
    hostNames = Set.copyOf(hostNames);
  }

  /** Return the settings of a service of a model for this machine only, on any free port. */
  public static ServerSettings of(Path model) {
    return new ServerSettings(
        model,
        Optional.empty(),
        LOCAL_HOST,
        0,
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        ServerLimits.DEFAULT,
        Optional.empty(),
        Optional.of(Duration.ofSeconds(1)),
        Duration.ofSeconds(10));
  }
}
