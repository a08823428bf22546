package org.pecf.engine.plugin;

/**
 * One thing that is known about a plugin, or about the environment it runs in, and how to fix it.
 *
 * @param level how serious it is
 * @param subject the thing it is about, in one or two words
 * @param message the fact and its place, without a full stop
 * @param remedy how to fix it, without a full stop; empty if there is nothing to fix
 */
public record Diagnostic(Level level, String subject, String message, String remedy) {
  private static final String PLUGIN = "plugin";

  public Diagnostic {
    // It may quote what a stranger's archive holds.
    message = message.replaceAll("\\p{Cc}", "?");
    remedy = remedy.replaceAll("\\p{Cc}", "?");
  }

  /** How serious a diagnostic is. */
  public enum Level {
    /** As it should be. */
    OK,
    /** Worth knowing; everything works. */
    WARNING,
    /** Something does not work because of it. */
    ERROR
  }

  /** Note that something is as it should be. */
  public static Diagnostic ok(String subject, String message) {
    return new Diagnostic(Level.OK, subject, message, "");
  }

  /** Note something worth knowing about a plugin. */
  public static Diagnostic warning(String message, String remedy) {
    return warning(PLUGIN, message, remedy);
  }

  /** Note something worth knowing. */
  public static Diagnostic warning(String subject, String message, String remedy) {
    return new Diagnostic(Level.WARNING, subject, message, remedy);
  }

  /** Note that a plugin, or one of its providers, cannot be used. */
  public static Diagnostic error(String message, String remedy) {
    return error(PLUGIN, message, remedy);
  }

  /** Note that something does not work. */
  public static Diagnostic error(String subject, String message, String remedy) {
    return new Diagnostic(Level.ERROR, subject, message, remedy);
  }

  /** Return the same diagnostic about another subject. */
  public Diagnostic about(String otherSubject) {
    return new Diagnostic(level, otherSubject, message, remedy);
  }

  /** Return whether something does not work because of it. */
  public boolean isError() {
    return level == Level.ERROR;
  }

  /** Return the message and the remedy as sentences. */
  @Override
  public String toString() {
    return remedy.isEmpty() ? message : message + ". " + remedy + ".";
  }
}
