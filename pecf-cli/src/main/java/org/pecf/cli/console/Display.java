package org.pecf.cli.console;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The display of a run's progress: lines that stay, and a state that is replaced. Subclasses draw
 * it on a terminal, as plain lines, or as JSON.
 */
public abstract class Display implements AutoCloseable {
  /** The forms of progress. */
  public enum Form {
    /** A state that is redrawn on a terminal, plain lines elsewhere. */
    AUTO,
    /** Plain lines. */
    LINES,
    /** A JSON object per line. */
    JSON,
    /** Nothing. */
    NONE
  }

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private final PrintStream stream;
  private final LongSupplier nanoTime;
  private final long began;
  private long trainingBegan;
  private Progress progress = Progress.activity("starting");

  /**
   * Start the clock.
   *
   * @param nanoTime the time
   */
  protected Display(PrintStream stream, LongSupplier nanoTime) {
    this.stream = stream;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
    this.trainingBegan = -1;
  }

  /** Choose the display of a form on a console. */
  public static Display on(Console console, Form form) {
    return switch (form) {
      case AUTO ->
          console.terminal().live()
              ? Live.start(console.err(), console.terminal())
              : new Lines(console.err(), System::nanoTime);
      case LINES -> new Lines(console.err(), System::nanoTime);
      case JSON -> new Json(console.err(), System::nanoTime);
      case NONE -> new Lines(new PrintStream(OutputStream.nullOutputStream()), System::nanoTime);
    };
  }

  /** Restore a console whose display can no longer be closed. */
  public static void restore(Console console) {
    if (console.terminal().live()) {
      console.err().writeBytes((Live.NORMAL + Live.SHOW_CURSOR).getBytes(StandardCharsets.UTF_8));
      console.err().println();
    }
  }

  /** Return the memory of this process: that in use by the system's count, else the Java heap's. */
  public static long processBytes() {
    try {
      for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(RESIDENT)) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The system keeps no such file.
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Print a line that stays. */
  public abstract void line(String text);

  /** Replace the state that is shown, if states are shown. */
  public final synchronized void show(Progress next) {
    if (next.member() > 0 && trainingBegan < 0) {
      trainingBegan = elapsed().toNanos();
    }
    Progress earlier = progress;
    progress = next;
    changed(earlier, next);
  }

  /** Draw a state that has changed, if it is time to. */
  protected abstract void changed(Progress earlier, Progress next);

  /** Remove the state and restore the terminal. */
  @Override
  public void close() {
    stream.flush();
  }

  /** Return the time since the run began. */
  final Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - began);
  }

  /** Return the time since the training of members began; zero if it has not. */
  final Duration training() {
    return trainingBegan < 0 ? Duration.ZERO : elapsed().minusNanos(trainingBegan);
  }

  /** Return the lines of the state on a terminal. */
  final List<String> lines(long memory, Terminal terminal) {
    return progress.lines(elapsed(), training(), memory, terminal);
  }

  /**
   * A state that is redrawn at the end of a terminal's output. Each frame is written at once over
   * the last one, so that nothing flickers; a thread of its own updates the clock while the run is
   * busy.
   */
  static final class Live extends Display {
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
    private final LongSupplier memory;
    private int drawn;
    private boolean closed;

    /**
     * Create a display that is not redrawn by itself.
     *
     * @param memory tells the bytes that the process takes
     */
    Live(PrintStream stream, Terminal terminal, LongSupplier nanoTime, LongSupplier memory) {
      super(stream, nanoTime);
      this.stream = stream;
      this.terminal = terminal;
      this.memory = memory;
    }

    private static Live start(PrintStream stream, Terminal terminal) {
      Live display = new Live(stream, terminal, System::nanoTime, Display::processBytes);
      Thread frames = new Thread(display::tick, "pecf-display");
      frames.setDaemon(true);
      frames.start();
      return display;
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
    protected void changed(Progress earlier, Progress next) {
      // The next frame shows it.
    }

    /** Draw the state over the last frame; return whether there is a next one. */
    synchronized boolean redraw() {
      if (closed) {
        return false;
      }
      List<String> lines = lines(memory.getAsLong(), terminal);
      StringBuilder frame = new StringBuilder(HIDE_CURSOR).append(toFirstLine());
      for (int i = 0; i < lines.size(); i++) {
        String line = Console.plain(lines.get(i));
        frame
            .append(i == 0 ? "" : "\n")
            .append(terminal.styled() ? FAINT + line + NORMAL : line)
            .append(CLEAR_TO_LINE_END);
      }
      print(frame.append(CLEAR_TO_END).toString());
      drawn = lines.size();
      return true;
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

  /**
   * Plain lines, for files, pipes and the logs of build servers. During long rounds the state is
   * printed now and then, to show that the run is alive.
   */
  static final class Lines extends Display {
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final PrintStream stream;
    private Duration last = Duration.ZERO;

    Lines(PrintStream stream, LongSupplier nanoTime) {
      super(stream, nanoTime);
      this.stream = stream;
    }

    @Override
    public synchronized void line(String text) {
      stream.println(text);
      last = elapsed();
    }

    @Override
    protected void changed(Progress earlier, Progress next) {
      if (next.step() > 0 && elapsed().minus(last).compareTo(SILENCE) >= 0) {
        line(String.join("  ", lines(processBytes(), Terminal.none())));
      }
    }
  }

  /**
   * A JSON object per line, for programs: either {@code {"seconds":..., "line":...}} or the state
   * with all that is known of it.
   */
  static final class Json extends Display {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final PrintStream stream;

    Json(PrintStream stream, LongSupplier nanoTime) {
      super(stream, nanoTime);
      this.stream = stream;
    }

    private ObjectNode object() {
      return JSON.createObjectNode().put("seconds", elapsed().toMillis() / 1e3);
    }

    @Override
    public synchronized void line(String text) {
      stream.println(object().put("line", text));
    }

    @Override
    protected void changed(Progress earlier, Progress next) {
      if (next.equals(earlier)) {
        return;
      }
      ObjectNode state = object();
      if (next.member() == 0) {
        state.put("activity", next.activity());
      } else {
        state
            .put("activity", "training")
            .put("member", next.member())
            .put("members", next.members())
            .put("filter", next.filter())
            .put("step", next.step())
            .put("steps", next.steps())
            .put("fraction", next.fraction());
        next.remaining(training())
            .ifPresent(left -> state.put("secondsLeft", left.toMillis() / 1e3));
      }
      if (next.rate() > 0) {
        state.put("positivesPerSecond", next.rate());
      }
      state.put("memoryBytes", processBytes());
      ObjectNode figures = state.putObject("figures");
      next.figures()
          .forEach((name, value) -> figures.put(name, Double.isFinite(value) ? value : null));
      stream.println(state);
    }
  }
}
