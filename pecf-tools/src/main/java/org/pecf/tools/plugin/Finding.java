package org.pecf.tools.plugin;

/**
 * Say what one check found.
 *
 * @param level how bad it is
 * @param check what was checked, in a word or two
 * @param message what was found
 * @param remedy how to mend it; empty if there is nothing to mend
 */
public record Finding(Level level, String check, String message, String remedy) {
  /** Say how bad a finding is. */
  public enum Level {
    /** As it should be. */
    OK,
    /** Worth knowing; things work. */
    WARNING,
    /** Something does not work because of it. */
    PROBLEM
  }

  /** Note that something is as it should be. */
  public static Finding ok(String check, String message) {
    return new Finding(Level.OK, check, message, "");
  }

  /** Note something worth knowing. */
  public static Finding warning(String check, String message, String remedy) {
    return new Finding(Level.WARNING, check, message, remedy);
  }

  /** Note something that does not work. */
  public static Finding problem(String check, String message, String remedy) {
    return new Finding(Level.PROBLEM, check, message, remedy);
  }

  /** Return the finding in words. */
  public String sentence() {
    return remedy.isEmpty() ? message : message + ". " + remedy + ".";
  }
}
