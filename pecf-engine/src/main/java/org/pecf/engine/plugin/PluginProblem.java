package org.pecf.engine.plugin;

/**
 * Say what is wrong with a plugin and how to mend it.
 *
 * @param severity whether something is missing because of it
 * @param message what is wrong, and where
 * @param remedy how to mend it
 */
public record PluginProblem(Severity severity, String message, String remedy) {
  /** Say how bad a problem is. */
  public enum Severity {
    /** Worth knowing; nothing is missing because of it. */
    WARNING,
    /** The plugin, or one of its providers, cannot be used. */
    ERROR
  }

  static PluginProblem error(String message, String remedy) {
    return new PluginProblem(Severity.ERROR, message, remedy);
  }

  static PluginProblem warning(String message, String remedy) {
    return new PluginProblem(Severity.WARNING, message, remedy);
  }

  @Override
  public String toString() {
    return message + ". " + remedy + ".";
  }
}
