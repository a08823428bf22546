package org.pecf.cli.console;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Redraw the state of a run at the end of a terminal's output.
 *
 * <p>A frame is written at once, over the last one, so nothing flickers. A thread of its own moves
 * the clock on while the run is busy.
 */
final class LiveDisplay implements Display {
  private static final String ESCAPE = "\u001b[";
  private static final String HIDE_CURSOR = ESCAPE + "?25l";
  private static final String SHOW_CURSOR = ESCAPE + "?25h";
  private static final String CLEAR_TO_LINE_END = ESCAPE + "K";
  private static final String CLEAR_TO_END = ESCAPE + "J";
  private static final String FAINT = ESCAPE + "2m";
  private static final String NORMAL = ESCAPE + "0m";
  private static final String INDENT = "  ";
  private static final long FRAME_MILLIS = 250;

  private final PrintStream stream;
  private final Terminal terminal;
  private final RunClock clock;
  private final LongSupplier memory;
  private Progress progress = Progress.activity("starting");
  private int drawn;
  private boolean closed;

  /**
   * Create a display.
   *
   * @param stream where to
   * @param terminal the terminal that shows it
   * @param nanoTime the clock
   * @param memory tells the bytes that the process takes
   */
  LiveDisplay(PrintStream stream, Terminal terminal, LongSupplier nanoTime, LongSupplier memory) {
    this.stream = stream;
    this.terminal = terminal;
    this.clock = new RunClock(nanoTime);
    this.memory = memory;
  }

  static LiveDisplay start(PrintStream stream, Terminal terminal) {
    LiveDisplay display = new LiveDisplay(stream, terminal, System::nanoTime, ProcessMemory::bytes);
    Thread frames = new Thread(display::tick, "pecf-display");
    frames.setDaemon(true);
    frames.start();
    return display;
  }

  /** Show the cursor, on a line of its own. */
  static void restore(PrintStream stream) {
    stream.writeBytes((NORMAL + SHOW_CURSOR).getBytes(StandardCharsets.UTF_8));
    stream.println();
  }

  private void tick() {
    try {
      while (redraw()) {
        Thread.sleep(FRAME_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void line(String text) {
    String lines =
        String.join(
            System.lineSeparator() + INDENT,
            TextTable.broken(Console.plain(text), terminal.columns() - INDENT.length()));
    print(erased() + lines + System.lineSeparator());
    drawn = 0;
    redraw();
  }

  @Override
  public synchronized void show(Progress next) {
    clock.see(next);
    progress = next;
  }

  /** Draw the state over the last frame; return whether there is a next one. */
  synchronized boolean redraw() {
    if (closed) {
      return false;
    }
    List<String> lines =
        progress.lines(clock.elapsed(), clock.training(), memory.getAsLong(), terminal);
    StringBuilder frame = new StringBuilder(HIDE_CURSOR).append(toFirstLine());
    for (int i = 0; i < lines.size(); i++) {
      frame
          .append(i == 0 ? "" : "\n")
          .append(coloured(Console.plain(lines.get(i))))
          .append(CLEAR_TO_LINE_END);
    }
    print(frame.append(CLEAR_TO_END).toString());
    drawn = lines.size();
    return true;
  }

  private String coloured(String line) {
    return terminal.colour() ? FAINT + line + NORMAL : line;
  }

  private String toFirstLine() {
    return drawn > 1 ? "\r" + ESCAPE + (drawn - 1) + "A" : "\r";
  }

  private String erased() {
    return drawn == 0 ? "" : toFirstLine() + CLEAR_TO_END;
  }

  private void print(String text) {
    stream.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    stream.flush();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      print(erased() + SHOW_CURSOR);
      drawn = 0;
      closed = true;
    }
  }
}
