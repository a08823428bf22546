package org.pecf.cli.console;

import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is connected to: a terminal, or a file or pipe, whose lines may be of any length.
 *
 * @param live whether a person watches it on a terminal that can redraw lines
 * @param columns how many characters fit on a line
 * @param styled whether it shows bold and colours, and they are welcome
 */
public record Terminal(boolean live, int columns, boolean styled) {
  private static final int USUAL_COLUMNS = 80;
  private static final int FEWEST_COLUMNS = 20;

  /** Stand for a file or pipe: plain lines of any length. */
  public static Terminal none() {
    return new Terminal(false, Integer.MAX_VALUE, false);
  }

  /**
   * Find out what a stream is connected to. A terminal limits lines to its width; where there is
   * none, only COLUMNS does, for whoever exports it wants that.
   *
   * @param stream the property by which the launcher says whether the stream is a terminal
   * @param environment the environment variables; TERM, CI, NO_COLOR and COLUMNS count. Not
   *     modified.
   * @param properties the system properties; the launcher also sets pecf.columns. Not modified.
   * @param console asks the JVM whether there is a console, which is slow; only without the
   *     launcher
   */
  static Terminal detect(
      String stream,
      Map<String, String> environment,
      Properties properties,
      BooleanSupplier console) {
    String said = properties.getProperty(stream);
    boolean terminal = said == null ? console.getAsBoolean() : Boolean.parseBoolean(said);
    if (!terminal) {
      return new Terminal(false, columns(environment.get("COLUMNS"), none().columns()), false);
    }
    boolean able = !"dumb".equals(environment.get("TERM"));
    int columns =
        columns(
            properties.getProperty("pecf.columns"),
            columns(environment.get("COLUMNS"), USUAL_COLUMNS));
    return new Terminal(
        able && !isSet(environment, "CI"), columns, able && !isSet(environment, "NO_COLOR"));
  }

  private static boolean isSet(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isEmpty();
  }

  private static int columns(@Nullable String text, int otherwise) {
    try {
      int columns = Integer.parseInt(String.valueOf(text).strip());
      return columns >= FEWEST_COLUMNS ? columns : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  /** Return a text as it stands out here. */
  String emphasised(String text) {
    return styled ? "\u001b[1m" + text + "\u001b[0m" : text;
  }
}
