package org.pecf.engine.plugin;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseSgd;

/**
 * Stand between the engine and a plugin's objects: whatever escapes them other than a {@link
 * PecfException} becomes one that names the plugin, and libraries that look things up by the
 * thread's context class loader find what is in the plugin.
 *
 * @param owner the name of the called object, such as "filter wmf"
 * @param plugin where it comes from
 * @param loader the plugin's class loader, absent for built-in providers
 * @param plugins the location of each plugin by its module, to tell whose code failed when plugins
 *     call each other; complete when the search for plugins is. Not modified.
 */
record PluginGuard(
    String owner, String plugin, Optional<ClassLoader> loader, Map<String, String> plugins) {
  /**
   * The types that plugins create, directly or through each other: guarded as soon as they are
   * returned.
   */
  private static final Set<Class<?>> GUARDED =
      Set.of(
          ComputeSession.class,
          FieldKernels.class,
          LeastSquares.class,
          MatrixKernels.class,
          PairwiseSgd.class);

  /** Return an object that passes all calls on to the given one, guarded. */
  <T> T guard(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            PluginGuard.class.getClassLoader(), new Class<?>[] {type}, new Handler(this, target)));
  }

  /** Return the guard of an object, if it has one. */
  static Optional<PluginGuard> of(Object object) {
    return Proxy.isProxyClass(object.getClass())
            && Proxy.getInvocationHandler(object) instanceof Handler handler
        ? Optional.of(handler.guard)
        : Optional.empty();
  }

  /** The way from a guarded object to the plugin's own, until it is closed. */
  private static final class Handler implements InvocationHandler {
    private final PluginGuard guard;
    private final Object target;
    private final AtomicBoolean closed = new AtomicBoolean();

    Handler(PluginGuard guard, Object target) {
      this.guard = guard;
      this.target = target;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) {
      if (method.getName().equals("equals") && method.getParameterCount() == 1) {
        return proxy == arguments[0];
      }
      boolean closes = method.getName().equals("close") && method.getParameterCount() == 0;
      if (closes && closed.getAndSet(true)) {
        return null;
      }
      if (!closes && closed.get()) {
        throw new IllegalStateException(method.getName() + " was called after close");
      }
      return guard.call(() -> guard.invoke(target, method, arguments));
    }
  }

  private Object invoke(Object target, Method method, Object[] arguments) {
    Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw translated(e.getTargetException());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the SPI has a method that is not public: " + method, e);
    }
    if (result == null && method.getReturnType() != void.class) {
      throw PecfException.pluginFault(
          "%s returned null from %s. Tell the plugin's author.", name(), method.getName());
    }
    return GUARDED.contains(method.getReturnType())
        ? guard(method.getReturnType(), result)
        : result;
  }

  /** Run code of the plugin. */
  <T> T call(Callable<T> code) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    loader.ifPresent(thread::setContextClassLoader);
    try {
      return code.call();
    } catch (Exception | Error e) {
      throw translated(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private PecfException translated(Throwable problem) {
    if (problem instanceof PecfException known) {
      return known;
    }
    if (problem instanceof OutOfMemoryException) {
      return PecfException.resources(
              "%s needs more memory than the limit for off-heap memory allows. Raise the limit, or"
                  + " choose smaller options, such as a lower rank or fewer members.",
              name())
          .causedBy(problem);
    }
    if (problem instanceof OutOfMemoryError) {
      return PecfException.resources(
              "%s found the Java heap full (%s). Give Java more with -Xmx, or choose smaller"
                  + " options.",
              name(), problem.getMessage())
          .causedBy(problem);
    }
    return fault(problem).causedBy(problem);
  }

  private PecfException fault(Throwable problem) {
    Optional<StackTraceElement> failed = innermost(problem.getStackTrace(), frame -> true);
    if (failed.filter(this::isForeign).isPresent()) {
      return PecfException.pluginFault(
          "%s failed where %s called it: %s. Tell its author.",
          place(failed.get()), name(), problem);
    }
    if (problem instanceof IllegalArgumentException
        || problem instanceof IllegalStateException
        || problem instanceof IndexOutOfBoundsException) {
      Optional<StackTraceElement> caller =
          innermost(Thread.currentThread().getStackTrace(), this::isForeign);
      if (caller.isPresent()) {
        return PecfException.pluginFault(
            "%s failed where it called %s: %s. Tell the authors of both.",
            place(caller.get()), name(), problem);
      }
    }
    String remedy = PluginFaults.otherVersion(problem).orElse("Tell its author");
    return PecfException.pluginFault("%s failed: %s. %s.", name(), problem, remedy);
  }

  /** Return the innermost frame of a plugin's code that meets a condition. */
  private Optional<StackTraceElement> innermost(
      StackTraceElement[] stack, Predicate<StackTraceElement> condition) {
    return Arrays.stream(stack)
        .filter(
            frame -> frame.getModuleName() != null && plugins.containsKey(frame.getModuleName()))
        .filter(condition)
        .findFirst();
  }

  private boolean isForeign(StackTraceElement frame) {
    return !plugin.equals(plugins.get(frame.getModuleName()));
  }

  private String place(StackTraceElement frame) {
    return "%s (in %s.%s)"
        .formatted(plugins.get(frame.getModuleName()), frame.getClassName(), frame.getMethodName());
  }

  /** Return the name of the called object and of its plugin. */
  String name() {
    return owner + " (" + plugin + ")";
  }
}
