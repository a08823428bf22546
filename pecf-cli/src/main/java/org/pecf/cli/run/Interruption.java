package org.pecf.cli.run;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
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

/**
 * The handling of Ctrl-C. The first asks a run to stop, so that it can store what it has. If it
 * does not stop soon, or at the second, the run is abandoned: its last resort is taken, and the
 * process ends. Results that are being stored are not cut off but by the third.
 *
 * <p>Signals are reached by reflection: the compiler cannot be told that their class is meant to be
 * used. A JVM that hands none out (option -Xrs) dies of them as ever.
 */
public final class Interruption implements Cancellation, AutoCloseable {
  private static final int SIGNAL_EXIT = 128;

  /** The time to stop in, which leaves some of two seconds for storing. */
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

  /** The stages of a command: it works, and then it ends by itself or is abandoned. */
  private enum Stage {
    WORKING,
    SETTLED,
    ABANDONED
  }

  /**
   * Heed the signals INT and TERM until closed, for a command that runs on this thread.
   *
   * @param atFirst done at the first signal, on a thread of the JVM
   * @param display closed before the command is abandoned
   * @param console where the code is named that did not stop
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
          UnresponsiveCode busy = UnresponsiveCode.of(command, plugins.get());
          display.close();
          console.warning(busy + " did not stop when it was asked to. Its work is given up.");
        };
    return listen(new Interruption(atFirst, atEnd, false));
  }

  /**
   * Heed the signals INT and TERM until closed, for a command that takes the time it needs to stop,
   * unless a second signal comes.
   *
   * @param atFirst done at the first signal, on a thread of the JVM
   * @param atEnd done before the command is abandoned at the second
   */
  public static Interruption listenPatiently(Runnable atFirst, Runnable atEnd) {
    return listen(new Interruption(atFirst, atEnd, true));
  }

  private static Interruption listen(Interruption interruption) {
    interruption.register("INT");
    interruption.register("TERM");
    return interruption;
  }

  private void register(String name) {
    try {
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      InvocationHandler invocation =
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "handle" -> {
                  raise(arguments[0], (int) signalType.getMethod("getNumber").invoke(arguments[0]));
                  yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "Interruption";
              };
      Object handler =
          Proxy.newProxyInstance(
              handlerType.getClassLoader(), new Class<?>[] {handlerType}, invocation);
      Object signal = signalType.getConstructor(String.class).newInstance(name);
      earlier.put(
          signal,
          signalType.getMethod("handle", signalType, handlerType).invoke(null, signal, handler));
    } catch (ReflectiveOperationException e) {
      System.getLogger(Interruption.class.getName())
          .log(System.Logger.Level.DEBUG, "signal " + name + " cannot be heeded", e);
    }
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
      // Nobody interrupts this thread but to end it.
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
   * End the process at once by the signal itself, as if nobody had heeded it. An exit, even a halt,
   * lets native libraries free their memory under calls that still run, which is a crash. Windows
   * ends the threads first.
   */
  private void die() {
    Object first = cause;
    if (first != null && File.separatorChar == '/') {
      try {
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Object byDefault = handlerType.getField("SIG_DFL").get(null);
        Class<?> signalType = first.getClass();
        signalType.getMethod("handle", signalType, handlerType).invoke(null, first, byDefault);
        // The JVM raises no signal that it does not handle.
        String kill = "kill -" + signal + " " + ProcessHandle.current().pid();
        new ProcessBuilder("/bin/sh", "-c", kill).start().waitFor();
      } catch (ReflectiveOperationException | IOException | InterruptedException e) {
        System.getLogger(Interruption.class.getName())
            .log(System.Logger.Level.DEBUG, "signal " + first + " cannot be raised", e);
      }
    }
    // The first process of a container does not die of its own signals.
    Runtime.getRuntime().halt(exitCode());
  }

  /** Set what is done for a command that is abandoned while it works. */
  public void lastResort(Runnable action) {
    lastResort = action;
  }

  /**
   * Declare that the command is about to end by itself; from now on it is not abandoned. If it has
   * been already, this call does not return: the process is about to end.
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

  /** Heed signals no longer. */
  @Override
  public void close() {
    settle();
    earlier.forEach(
        (signal, handler) -> {
          try {
            signal
                .getClass()
                .getMethod("handle", signal.getClass(), Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signal, handler);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("what was registered can be unregistered", e);
          }
        });
    earlier.clear();
  }
}
