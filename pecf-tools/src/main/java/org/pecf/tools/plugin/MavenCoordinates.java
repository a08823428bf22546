package org.pecf.tools.plugin;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The coordinates of an artifact in a Maven repository.
 *
 * @param group its group id
 * @param artifact its artifact id
 * @param version its version
 */
public record MavenCoordinates(String group, String artifact, String version) {
  private static final Pattern SHAPE =
      Pattern.compile("([A-Za-z0-9_.-]+):([A-Za-z0-9_.-]+):([A-Za-z0-9_.+-]+)");

  /** Read {@code group:artifact:version}, if the text has that shape. */
  public static Optional<MavenCoordinates> parse(String text) {
    Matcher matcher = SHAPE.matcher(text);
    return matcher.matches()
        ? Optional.of(new MavenCoordinates(matcher.group(1), matcher.group(2), matcher.group(3)))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return group + ":" + artifact + ":" + version;
  }
}
