package org.pecf.cli.console;

import java.util.regex.Pattern;

/**
 * The remedies in messages of the engine, which name options rather than flags, in a form that can
 * be pasted into a command.
 */
public final class Remedies {
  private static final String KEY = "(?=[a-z][a-z0-9-]*\\.[a-z-]+=\\S)";
  private static final Pattern SET = Pattern.compile("\\bSet " + KEY);
  private static final Pattern MORE = Pattern.compile("\\b(and|or) " + KEY);
  private static final Pattern OVERWRITE = Pattern.compile("\\bor overwrite (it|this one|this)\\b");

  private Remedies() {}

  /** Return a text in which settings such as {@code csv.header=no} are flags. */
  public static String onCommandLine(String text) {
    String added = SET.matcher(text).replaceAll("Add --set ");
    String more = added.equals(text) ? text : MORE.matcher(added).replaceAll("$1 --set ");
    return OVERWRITE.matcher(more).replaceAll("or add --overwrite");
  }
}
