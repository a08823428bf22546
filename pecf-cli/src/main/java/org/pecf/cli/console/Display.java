package org.pecf.cli.console;

/** The display of a run's progress: lines that stay, and a state that is replaced. */
public interface Display extends AutoCloseable {
  /** Choose the display of a form on a console. */
  static Display on(Console console, ProgressForm form) {
    return switch (form) {
      case AUTO ->
          console.terminal().live()
              ? LiveDisplay.start(console.err(), console.terminal())
              : lines(console);
      case LINES -> lines(console);
      case JSON -> new JsonDisplay(console.err(), System::nanoTime);
      case NONE -> new NoDisplay();
    };
  }

  private static Display lines(Console console) {
    return new LineDisplay(console.err(), System::nanoTime);
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
