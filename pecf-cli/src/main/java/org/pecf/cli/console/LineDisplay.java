package org.pecf.cli.console;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A display of plain lines, for files, pipes and the logs of build servers. Where a round takes
 * long, the state becomes a line now and then, so that nobody takes the run for dead.
 */
final class LineDisplay implements Display {
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Terminal ENDLESS = new Terminal(false, Integer.MAX_VALUE, false);

  private final PrintStream stream;
  private final RunClock clock;
  private Duration last = Duration.ZERO;

  LineDisplay(PrintStream stream, LongSupplier nanoTime) {
    this.stream = stream;
    this.clock = new RunClock(nanoTime);
  }

  @Override
  public synchronized void line(String text) {
    stream.println(text);
    last = clock.elapsed();
  }

  @Override
  public synchronized void show(Progress progress) {
    clock.see(progress);
    if (progress.step() > 0 && clock.elapsed().minus(last).compareTo(SILENCE) >= 0) {
      line(
          String.join(
              "  ",
              progress.lines(clock.elapsed(), clock.training(), ProcessMemory.bytes(), ENDLESS)));
    }
  }

  @Override
  public void close() {
    stream.flush();
  }
}
