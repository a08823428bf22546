package org.pecf.api.data;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Say where ratings are.
 *
 * @param location as the user wrote it: a path, or {@code builtin:NAME}
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DataSource(String location) {
  private static final String BUILTIN = "builtin:";

  public DataSource {
    Objects.requireNonNull(location);
  }

  /** Return the name of embedded data, if that is what is meant. */
  public Optional<String> builtin() {
    return location.startsWith(BUILTIN)
        ? Optional.of(location.substring(BUILTIN.length()))
        : Optional.empty();
  }

  /** Return the file or folder, if that is what is meant. */
  public Optional<Path> path() {
    return builtin().isPresent() ? Optional.empty() : Optional.of(Path.of(location));
  }
}
