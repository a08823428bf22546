package org.pecf.cli;

import org.pecf.cli.console.Console;

/** Start the command line. */
public final class Main {
  private Main() {}

  /** Run the command that the arguments ask for and end the process with its exit code. */
  public static void main(String[] arguments) {
    Console console = Console.system();
    if (arguments.length == 1 && arguments[0].matches("-V|--version")) {
      console.out().println(Version.text());
      int code = Application.delivered(console);
      if (code != 0) {
        Runtime.getRuntime().halt(code);
      }
      return;
    }
    Application application = new Application(console);
    int code = application.execute(arguments);
    if (code == 0) {
      return;
    }
    if (application.started()) {
      System.exit(code);
    }
    // Exiting has the JVM set up all of logging, for a message of its own. Nothing ran that has
    // anything to clean up.
    Runtime.getRuntime().halt(code);
  }
}
