package org.pecf.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The streams that a command writes to.
 *
 * <p>Texts quote names, ids and titles from any source. So a text printed to these streams loses
 * the characters that control a terminal or reorder its lines; bytes pass as they are.
 *
 * @param out for results
 * @param err for progress and errors
 * @param page the page that out is printed on
 * @param terminal the terminal that err is connected to
 */
public record Console(PrintStream out, PrintStream err, Terminal page, Terminal terminal) {
  /** Control characters, C1 included, and those that change the direction of writing. */
  private static final Pattern COMMANDS =
      Pattern.compile("[\\p{Cc}\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

  /** The same but for line ends, tabs and the marks of a table's best values. */
  private static final Pattern COMMANDS_IN_LINES =
      Pattern.compile("(?!\r?\n|\t|\u001b\\[[01]m)" + COMMANDS);

  public Console {
    out = new Plain(out);
    err = new Plain(err);
  }

  /** A stream of texts without characters that control a terminal. */
  private static final class Plain extends PrintStream {
    Plain(PrintStream stream) {
      super(stream, true, StandardCharsets.UTF_8);
    }

    @Override
    public void print(@Nullable String text) {
      super.print(COMMANDS_IN_LINES.matcher(String.valueOf(text)).replaceAll("?"));
    }
  }

  /** Return a text as one line without characters that control a terminal. */
  static String plain(String text) {
    return COMMANDS.matcher(text).replaceAll("?");
  }

  /** Print a text for programs as it is. */
  public void printData(String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Return the console of this process. Results are in UTF-8 in every locale, as ids are. */
  public static Console system() {
    BooleanSupplier console = () -> System.console() != null;
    return new Console(
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Terminal.detect("pecf.page", System.getenv(), System.getProperties(), console),
        Terminal.detect("pecf.terminal", System.getenv(), System.getProperties(), console));
  }

  /** Print a table to out, as wide as the page allows. */
  public void print(TextTable table) {
    print(table.lines(page));
  }

  /** Print lines to out. */
  public void print(List<String> lines) {
    lines.forEach(out::println);
  }

  /** Return whether everything printed to out so far was written. */
  public boolean written() {
    return !out.checkError();
  }

  /** Print one line that says what went wrong. */
  public void error(String message) {
    say("error", message);
  }

  /** Print a warning on one line. */
  public void warning(String message) {
    say("warning", message);
  }

  private void say(String level, String message) {
    err.println("pecf-run: " + level + ": " + message);
    err.flush();
  }
}
