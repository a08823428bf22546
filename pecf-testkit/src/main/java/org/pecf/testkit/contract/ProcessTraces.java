package org.pecf.testkit.contract;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The traces that a provider may leave in its process: output and threads. */
final class ProcessTraces {
  private static final int PRINTED_BYTES = 1_000;
  private static final int PATIENCE_MILLIS = 2_000;

  private final Set<Thread> before;
  private final PrintStream out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private ProcessTraces() {
    this.before = Thread.getAllStackTraces().keySet();
    this.out = System.out;
  }

  /** Remember the threads that run, and keep what is printed to standard output from now on. */
  static ProcessTraces watch() {
    ProcessTraces traces = new ProcessTraces();
    System.setOut(new PrintStream(traces.beginning(), true, StandardCharsets.UTF_8));
    return traces;
  }

  private OutputStream beginning() {
    return new OutputStream() {
      @Override
      public void write(int value) {
        synchronized (printed) {
          if (printed.size() < PRINTED_BYTES) {
            printed.write(value);
          }
        }
      }
    };
  }

  /** Stop watching, and return the traces that were left, one sentence each. */
  List<String> end() {
    System.setOut(out);
    List<String> traces = new ArrayList<>();
    String text;
    synchronized (printed) {
      text = printed.toString(StandardCharsets.UTF_8);
    }
    text.lines()
        .findFirst()
        .ifPresent(
            line -> traces.add("it prints to standard output, where results go: '" + line + "'"));
    for (Thread thread : leftThreads()) {
      traces.add(
          "it leaves thread '" + thread.getName() + "' running, which keeps a process from ending");
    }
    return traces;
  }

  private List<Thread> leftThreads() {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    List<Thread> left = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!before.contains(thread) && !thread.isDaemon()) {
        try {
          thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
          left.add(thread);
        }
      }
    }
    return left;
  }
}
