package org.pecf.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams that a command writes to.
 *
 * @param out for results
 * @param err for progress and errors
 * @param terminal the terminal that err is connected to
 */
public record Console(PrintStream out, PrintStream err, Terminal terminal) {
  /** Return the console of this process. Results are UTF-8 whatever the locale: ids are. */
  public static Console system() {
    return new Console(
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Terminal.detect(System.getenv(), System.getProperties(), () -> System.console() != null));
  }

  /** Return whether all that was written to out so far arrived. */
  public boolean written() {
    return !out.checkError();
  }

  /**
   * Print one line that says what went wrong. What it quotes, such as the name of a column, may
   * come from anywhere: nothing in it commands the terminal.
   */
  public void error(String message) {
    say("error", message);
  }

  /** Print a warning on one line; quoting is as safe as in an error. */
  public void warning(String message) {
    say("warning", message);
  }

  private void say(String level, String message) {
    err.println("pecf-run: " + level + ": " + message.replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?"));
    err.flush();
  }
}
