package org.pecf.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The streams that a command writes to.
 *
 * @param out for results
 * @param err for progress and errors
 * @param page the page that out is printed on
 * @param terminal the terminal that err is connected to
 */
public record Console(PrintStream out, PrintStream err, Page page, Terminal terminal) {
  /** Return the console of this process. Results are UTF-8 whatever the locale: ids are. */
  public static Console system() {
    BooleanSupplier console = () -> System.console() != null;
    return new Console(
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Page.detect(System.getenv(), System.getProperties(), console),
        Terminal.detect(System.getenv(), System.getProperties(), console));
  }

  /** Print a table to out, as wide as the page allows. */
  public void print(TextTable table) {
    print(table.lines(page));
  }

  /** Print lines to out. */
  public void print(List<String> lines) {
    lines.forEach(out::println);
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
