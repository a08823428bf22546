package org.pecf.cli;

import org.pecf.cli.console.Console;
import org.pecf.cli.console.Version;

/** The entry point of the command line. */
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
    ProcessEnd end = new ProcessEnd(console);
    Application application = new Application(console, end::guard);
    int code = application.execute(arguments);
    if (application.started()) {
      end.reach(code);
    } else if (code != 0) {
      // System.exit makes the JVM set up logging for a message of its own. Nothing ran that needs
      // cleaning up.
      Runtime.getRuntime().halt(code);
    }
  }
}
