package org.pecf.cli.console;

import java.io.PrintStream;

/** The display of a run's progress: lines that stay, and a state that is replaced. */
public interface Display extends AutoCloseable {
  /** Choose the display that suits a console. */
  static Display on(Console console) {
    return console.terminal().live()
        ? LiveDisplay.start(console.err(), console.terminal())
        : plain(console.err());
  }

  /** Return a display of plain lines, for files and pipes. */
  static Display plain(PrintStream stream) {
    return new Display() {
      @Override
      public void line(String text) {
        stream.println(text);
      }

      @Override
      public void show(Progress progress) {}

      @Override
      public void close() {
        stream.flush();
      }
    };
  }

  /** Give a console back as it was where no display can be closed any more. */
  static void restore(Console console) {
    if (console.terminal().live()) {
      LiveDisplay.restore(console.err());
    }
  }

  /** Print a line that stays. */
  void line(String text);

  /** Replace the state that is shown, if states are shown. */
  void show(Progress progress);

  /** Take the state away and give the terminal back as it was. */
  @Override
  void close();
}
