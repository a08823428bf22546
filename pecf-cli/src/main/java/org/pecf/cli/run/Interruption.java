package org.pecf.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.pecf.api.run.Cancellation;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;

/**
 * The handling of Ctrl-C. The first one asks a run to stop, so that it can store what it has. If
 * the run does not stop soon, or a second one comes, it is abandoned: its last resort is taken, and
 * the process ends. Only a third one cuts off the storing of results.
 *
 * <p>Signals are reached by reflection, because the compiler's warning about their class cannot be
 * switched off on every JDK. With a JVM that reserves them (option -Xrs) they end the process as
 * usual.
 */
public final class Interruption implements Cancellation, AutoCloseable {
  private static final int SIGNAL_EXIT = 128;
  private static final String HANDLER = "sun.misc.SignalHandler";
  private static final String OURS = "org.pecf.";
  private static final String WORKER = "pecf-worker-";

  /** The time to stop in; with the time for storing, Ctrl-C takes no more than two seconds. */
  private static final long PATIENCE_MILLIS = 1_200;

  private final Runnable atFirst;
  private final Runnable atEnd;
  private final boolean patient;
  private final Map<Object, Object> earlier = new LinkedHashMap<>();
  private final AtomicInteger raised = new AtomicInteger();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WORKING);
  private final CountDownLatch settled = new CountDownLatch(1);
  private volatile Runnable lastResort = () -> {};
  private volatile int signal;

  /** The first signal, as the JVM names it. */
  private volatile @Nullable Object cause;

  private Interruption(Runnable atFirst, Runnable atEnd, boolean patient) {
    this.atFirst = atFirst;
    this.atEnd = atEnd;
    this.patient = patient;
  }

  /** The stages of a command, which works until it ends by itself or is abandoned. */
  private enum Stage {
    WORKING,
    SETTLED,
    ABANDONED
  }

  /**
   * Listen to the signals INT and TERM until closed, for a command that runs on this thread.
   *
   * @param atFirst done at the first signal, on a thread of the JVM
   * @param display closed before the command is abandoned
   * @param console receives the name of the code that did not stop
   * @param plugins the plugins that it may belong to, once they are loaded
   */
  public static Interruption listen(
      Runnable atFirst,
      Display display,
      Console console,
      Supplier<Optional<PluginCatalog>> plugins) {
    Thread command = Thread.currentThread();
    Runnable atEnd =
        () -> {
          String busy = busyPlace(command, plugins.get());
          display.close();
          console.warning(busy + " did not stop when it was asked to. Its work is given up.");
        };
    return new Interruption(atFirst, atEnd, false).listen();
  }

  /**
   * Listen to the signals INT and TERM until closed, for a command that may take its time to stop
   * until a second signal comes.
   *
   * @param atFirst done at the first signal, on a thread of the JVM
   * @param atEnd done before the command is abandoned at the second
   */
  public static Interruption listenPatiently(Runnable atFirst, Runnable atEnd) {
    return new Interruption(atFirst, atEnd, true).listen();
  }

  private Interruption listen() {
    InvocationHandler invocation =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                Object received = arguments[0];
                raise(received, (int) received.getClass().getMethod("getNumber").invoke(received));
                yield null;
              }
              case "equals" -> proxy == arguments[0];
              case "hashCode" -> System.identityHashCode(proxy);
              default -> "Interruption";
            };
    for (String name : List.of("INT", "TERM")) {
      try {
        Class<?> type = Class.forName(HANDLER);
        Object signal =
            Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
        Object handler =
            Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, invocation);
        earlier.put(signal, handle(signal, handler));
      } catch (ReflectiveOperationException e) {
        failed(name, e);
      }
    }
    return this;
  }

  /** Have a signal handled, and return how it was handled before. */
  private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
    Class<?> type = signal.getClass();
    return type.getMethod("handle", type, Class.forName(HANDLER)).invoke(null, signal, handler);
  }

  private static void failed(Object signal, Exception problem) {
    System.getLogger(Interruption.class.getName())
        .log(System.Logger.Level.DEBUG, "signal " + signal + " cannot be handled", problem);
  }

  /**
   * Name the code that keeps a command busy, on its own thread or on a worker that it waits for,
   * with its plugin if it belongs to one.
   */
  private static String busyPlace(Thread command, Optional<PluginCatalog> catalog) {
    Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
    List<Thread> threads = new ArrayList<>(List.of(command));
    stacks.keySet().stream()
        .filter(thread -> thread.getName().startsWith(WORKER))
        .forEach(threads::add);
    for (Thread thread : threads) {
      StackTraceElement[] stack = stacks.getOrDefault(thread, new StackTraceElement[0]);
      Optional<PluginReport> owner = catalog.flatMap(plugins -> plugins.owner(thread, stack));
      if (owner.isPresent()) {
        String module = owner.get().module().orElse("");
        return owner.get().location() + " (in " + place(module, stack) + ")";
      }
    }
    return place("", stacks.getOrDefault(command, new StackTraceElement[0]));
  }

  /** Return the innermost place in a module, or else in code of ours. */
  private static String place(String module, StackTraceElement... stack) {
    return Arrays.stream(stack)
        .filter(
            element ->
                module.isEmpty()
                    ? element.getClassName().startsWith(OURS)
                    : module.equals(element.getModuleName()))
        .findFirst()
        .or(() -> Arrays.stream(stack).findFirst())
        .map(element -> element.getClassName() + "." + element.getMethodName())
        .orElse("native code");
  }

  /** Act on a signal. */
  private void raise(Object received, int number) {
    switch (raised.getAndIncrement()) {
      case 0 -> {
        cause = received;
        signal = number;
        atFirst.run();
        if (!patient) {
          Thread watch = new Thread(this::watch, "pecf-interruption");
          watch.setDaemon(true);
          watch.start();
        }
      }
      case 1 -> abandon();
      default -> die();
    }
  }

  private void watch() {
    try {
      if (!settled.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        abandon();
      }
    } catch (InterruptedException e) {
      // This thread is interrupted only to end it.
      Thread.currentThread().interrupt();
    }
  }

  /** Take the last resort and end the process, unless the command ends by itself. */
  private void abandon() {
    if (stage.compareAndSet(Stage.WORKING, Stage.ABANDONED)) {
      try {
        atEnd.run();
        lastResort.run();
      } finally {
        die();
      }
    }
  }

  /**
   * End the process at once by the signal itself, as if it had not been handled. An exit, even a
   * halt, makes native libraries free memory that running calls still use, which crashes the
   * process. Windows ends the threads first.
   */
  private void die() {
    Object first = cause;
    if (first != null && File.separatorChar == '/') {
      try {
        handle(first, Class.forName(HANDLER).getField("SIG_DFL").get(null));
        // The JVM cannot raise a signal that it does not handle.
        String kill = "kill -" + signal + " " + ProcessHandle.current().pid();
        new ProcessBuilder("/bin/sh", "-c", kill).start().waitFor();
      } catch (ReflectiveOperationException | IOException | InterruptedException e) {
        failed(first, e);
      }
    }
    // The first process of a container is not ended by its own signals.
    Runtime.getRuntime().halt(exitCode());
  }

  /** Set what is done if the command is abandoned while it works. */
  public void lastResort(Runnable action) {
    lastResort = action;
  }

  /**
   * Declare that the command is about to end by itself, so that it is no longer abandoned. If it
   * has been abandoned already, this call does not return: the process is about to end.
   */
  public void settle() {
    stage.compareAndSet(Stage.WORKING, Stage.SETTLED);
    settled.countDown();
    while (stage.get() == Stage.ABANDONED) {
      try {
        Thread.sleep(PATIENCE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public boolean requested() {
    return signal != 0;
  }

  /** Return the exit code of a process that ended because of the signal: 130 for Ctrl-C. */
  public int exitCode() {
    return SIGNAL_EXIT + signal;
  }

  /** Stop listening to signals. */
  @Override
  public void close() {
    settle();
    earlier.forEach(
        (received, handler) -> {
          try {
            handle(received, handler);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("what was registered can be unregistered", e);
          }
        });
    earlier.clear();
  }
}
