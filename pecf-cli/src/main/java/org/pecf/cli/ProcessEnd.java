package org.pecf.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.pecf.api.ErrorCode;
import org.pecf.cli.command.Command;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;

/**
 * The end of this process, which only the command may bring about: an exit called by a plugin is
 * reported as a failure, threads that a plugin leaves running do not delay the end, and text that
 * it prints does not mix with results.
 *
 * <p>Signals are not affected: they end a process without a call of {@link System#exit}.
 */
final class ProcessEnd {
  private static final long PATIENCE_MILLIS = 1_000;
  private static final long HOOKS_MILLIS = 10_000;

  private final Console console;
  private volatile Supplier<Optional<PluginCatalog>> plugins = Optional::empty;
  private volatile boolean reached;

  ProcessEnd(Console console) {
    this.console = console;
  }

  /** Report exits that come before the end of a command, and keep standard output for results. */
  void guard(Command command) {
    plugins = command::loadedCatalog;
    Runtime.getRuntime().addShutdownHook(new Thread(this::refuseEarlyExit, "pecf-end"));
    // What a plugin or a library prints goes to standard error.
    System.setOut(System.err);
  }

  /**
   * End the process with the exit code of its command, even if threads or hooks are left behind.
   */
  void reach(int code) {
    reached = true;
    List<Thread> left = leftThreads();
    left.forEach(thread -> console.warning(sentence(thread)));
    haltAfterHooks(code);
    // System.exit makes the JVM set up logging for a message of its own: return where that will do.
    if (code != 0 || !left.isEmpty()) {
      System.exit(code);
    }
  }

  private String sentence(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return owner(thread, stack).map(plugin -> plugin + " left thread").orElse("there is a thread")
        + " '"
        + thread.getName()
        + "' running"
        + (stack.length == 0 ? "" : " (in " + place(stack[stack.length - 1]) + ")")
        + ". It was ended with the process; tell the plugin's author.";
  }

  /** Return the threads that would keep the process from ending, after giving them time to end. */
  private static List<Thread> leftThreads() {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    List<Thread> left = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread != Thread.currentThread() && !thread.isDaemon()) {
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

  /** End the process if the shutdown hooks of plugins take too long. */
  private static void haltAfterHooks(int code) {
    Thread halting =
        new Thread(
            () -> {
              try {
                Thread.sleep(HOOKS_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(code);
            },
            "pecf-halt");
    halting.setDaemon(true);
    halting.start();
  }

  /** Turn an exit that the command did not ask for into a failure. */
  private void refuseEarlyExit() {
    if (reached) {
      return;
    }
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      Optional<List<StackTraceElement>> callers = callersOfExit(thread.getValue());
      if (callers.isPresent()) {
        StackTraceElement[] stack = callers.get().toArray(StackTraceElement[]::new);
        Display.restore(console);
        console.error(
            owner(thread.getKey(), stack).orElse("a plugin, or a library of one,")
                + " ended the process"
                + (stack.length == 0
                    ? ""
                    : " (System.exit or Runtime.halt in " + place(stack[0]) + ")")
                + " before the command was done; what is not stored yet is lost. Tell its author.");
        Runtime.getRuntime().halt(ErrorCode.PLUGIN_FAULT.exitCode());
      }
    }
  }

  /**
   * Return the callers of an exit, innermost first, if a stack is that of a thread that called for
   * one.
   */
  private static Optional<List<StackTraceElement>> callersOfExit(StackTraceElement... stack) {
    for (int k = 0; k < stack.length; k++) {
      if (stack[k].getClassName().equals("java.lang.Runtime")
          && stack[k].getMethodName().equals("exit")) {
        return Optional.of(
            Arrays.stream(stack, k + 1, stack.length)
                .filter(element -> !element.getClassName().equals("java.lang.System"))
                .toList());
      }
    }
    return Optional.empty();
  }

  private Optional<String> owner(Thread thread, StackTraceElement... stack) {
    return plugins
        .get()
        .flatMap(catalog -> catalog.owner(thread, stack))
        .map(PluginReport::location);
  }

  private static String place(StackTraceElement element) {
    return element.getClassName() + "." + element.getMethodName();
  }
}
