package org.pecf.cli.console;

import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * The page that results are printed on: the terminal that standard output is connected to, or a
 * file or pipe, whose lines may be of any length.
 *
 * @param columns how many characters fit on a line
 * @param bold whether a terminal shows what stands out in bold
 */
public record OutputPage(int columns, boolean bold) {
  /** Return a page of lines of any length, in plain text. */
  public static OutputPage unlimited() {
    return new OutputPage(Integer.MAX_VALUE, false);
  }

  /**
   * Find out what standard output is connected to. A terminal limits lines to its width; where
   * there is none, only COLUMNS does, for whoever exports it wants that.
   *
   * @param environment the environment variables; TERM, NO_COLOR and COLUMNS count. Not modified.
   * @param properties the system properties; the launcher sets pecf.page and pecf.columns. Not
   *     modified.
   * @param console asks the JVM whether there is a console, which is slow; only without the
   *     launcher
   */
  static OutputPage detect(
      Map<String, String> environment, Properties properties, BooleanSupplier console) {
    String said = properties.getProperty("pecf.page");
    boolean terminal = said == null ? console.getAsBoolean() : Boolean.parseBoolean(said);
    if (!terminal) {
      return new OutputPage(
          Terminal.columns(environment.get("COLUMNS"), unlimited().columns()), false);
    }
    boolean bold =
        !"dumb".equals(environment.get("TERM")) && !Terminal.isSet(environment, "NO_COLOR");
    return new OutputPage(Terminal.columns(environment, properties), bold);
  }

  /** Return a text as it stands out on this page. */
  String emphasised(String text) {
    return bold ? "\u001b[1m" + text + "\u001b[0m" : text;
  }
}
