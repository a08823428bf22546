package org.pecf.api.data;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.PecfException;

/**
 * A place of ratings: a file, a folder or embedded data.
 *
 * @param location as the user wrote it: a path, or {@code builtin:NAME}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DataSource(String location) {
  private static final String BUILTIN = "builtin:";

  public DataSource {
    Objects.requireNonNull(location);
  }

  /** Return the name of the embedded data, if the location names any. */
  public Optional<String> builtin() {
    return location.startsWith(BUILTIN)
        ? Optional.of(location.substring(BUILTIN.length()))
        : Optional.empty();
  }

  /** Return the file or folder, if the location names one that could exist. */
  public Optional<Path> path() {
    try {
      return builtin().isPresent() ? Optional.empty() : Optional.of(Path.of(location));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * Return the file or folder.
   *
   * @throws PecfException if the location is embedded data or cannot be a path
   */
  public Path requiredPath() {
    if (builtin().isPresent()) {
      throw PecfException.badData(
          "%s is embedded data, but this format is read from files. Leave the format to be"
              + " recognised, or name a file.",
          location);
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw PecfException.badData(
              "'%s' cannot be a path: %s. Check the location of the data.",
              location.replaceAll("\\p{Cntrl}", "?"), e.getReason())
          .causedBy(e);
    }
  }
}
