package org.pecf.cli;

import org.pecf.cli.console.Console;

/** Start the command line. */
public final class Main {
  private Main() {}

  /** Run the command that the arguments ask for and end the process with its exit code. */
  public static void main(String[] arguments) {
    if (arguments.length == 1 && arguments[0].matches("-V|--version")) {
      System.out.println(Version.text());
      return;
    }
    Application application = new Application(Console.system());
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
