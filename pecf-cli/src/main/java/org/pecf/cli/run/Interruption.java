package org.pecf.cli.run;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.pecf.api.run.Cancellation;

/**
 * The handling of Ctrl-C: the first asks a run to stop, so that it can store what it has; the
 * second ends the process.
 *
 * <p>Signals are reached by reflection: the compiler cannot be told that their class is meant to be
 * used. A JVM that hands none out (option -Xrs) dies of them as ever.
 */
public final class Interruption implements Cancellation, AutoCloseable {
  private static final int SIGNAL_EXIT = 128;

  private final Runnable atFirst;
  private final Runnable atSecond;
  private final Map<Object, Object> earlier = new LinkedHashMap<>();
  private volatile int signal;

  private Interruption(Runnable atFirst, Runnable atSecond) {
    this.atFirst = atFirst;
    this.atSecond = atSecond;
  }

  /**
   * Heed the signals INT and TERM until closed.
   *
   * @param atFirst done at the first signal, on a thread of the JVM
   * @param atSecond done at the second, before the process ends
   */
  public static Interruption heed(Runnable atFirst, Runnable atSecond) {
    Interruption interruption = new Interruption(atFirst, atSecond);
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
                  raise((int) signalType.getMethod("getNumber").invoke(arguments[0]));
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
  void raise(int number) {
    if (signal == 0) {
      signal = number;
      atFirst.run();
    } else {
      atSecond.run();
      Runtime.getRuntime().halt(SIGNAL_EXIT + number);
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
