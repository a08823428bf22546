package org.pecf.cli.console;

import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that standard error is connected to, if any.
 *
 * @param live whether a person watches it on a terminal that can redraw lines
 * @param columns how many characters fit on a line
 * @param colour whether colours are welcome
 */
public record Terminal(boolean live, int columns, boolean colour) {
  private static final int USUAL_COLUMNS = 80;
  private static final int FEWEST_COLUMNS = 20;

  /** Stand for a file or pipe: plain lines of any length. */
  public static Terminal plain() {
    return new Terminal(false, USUAL_COLUMNS, false);
  }

  /**
   * Find out whether standard error is a terminal.
   *
   * @param environment the environment variables; TERM, CI, NO_COLOR and COLUMNS count. Not
   *     modified.
   * @param properties the system properties; the launcher sets pecf.terminal and pecf.columns. Not
   *     modified.
   * @param console asks the JVM whether there is a console, which is slow; only without the
   *     launcher
   */
  public static Terminal detect(
      Map<String, String> environment, Properties properties, BooleanSupplier console) {
    String said = properties.getProperty("pecf.terminal");
    boolean terminal = said == null ? console.getAsBoolean() : Boolean.parseBoolean(said);
    boolean able = !"dumb".equals(environment.get("TERM")) && !isSet(environment, "CI");
    boolean live = terminal && able;
    return new Terminal(
        live, columns(environment, properties), live && !isSet(environment, "NO_COLOR"));
  }

  /** Return how wide a terminal is: as the launcher found, as COLUMNS says, or as is usual. */
  static int columns(Map<String, String> environment, Properties properties) {
    return columns(
        properties.getProperty("pecf.columns"), columns(environment.get("COLUMNS"), USUAL_COLUMNS));
  }

  static boolean isSet(Map<String, String> environment, String name) {
    return !environment.getOrDefault(name, "").isEmpty();
  }

  static int columns(@Nullable String text, int otherwise) {
    try {
      int columns = Integer.parseInt(String.valueOf(text).strip());
      return columns >= FEWEST_COLUMNS ? columns : otherwise;
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
