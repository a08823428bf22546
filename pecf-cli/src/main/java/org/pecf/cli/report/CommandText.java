package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The text of a command as a shell reads it. */
public final class CommandText {
  private CommandText() {}

  /**
   * Write a command.
   *
   * @param program the program
   * @param options texts by key: options of the command, or of plugins, such as {@code wmf.rank}
   */
  public static String of(String program, Map<String, String> options) {
    StringBuilder text = new StringBuilder(program);
    options.forEach(
        (key, value) ->
            text.append(key.contains(".") ? " --set " + key + "=" : " --" + key + " ")
                .append(quoted(value)));
    return text.toString();
  }

  /** Break a command before options into lines that a shell reads as one. */
  public static List<String> lines(String command, int columns) {
    List<String> lines = new ArrayList<>();
    String rest = command;
    while (rest.length() > columns) {
      // A line that is continued ends in a blank and a backslash.
      int end = rest.lastIndexOf(" --", columns - 2);
      if (end <= 0 || rest.substring(0, end).isBlank()) {
        break;
      }
      lines.add(rest.substring(0, end) + " \\");
      rest = "    " + rest.substring(end + 1);
    }
    lines.add(rest);
    return lines;
  }

  /** Write a command with an argument. */
  public static String of(String program, String argument) {
    return program + " " + quoted(argument);
  }

  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9_@%+=:,./-]+")
        ? value
        : "'" + value.replace("'", "'\\''") + "'";
  }
}
