package org.pecf.engine.plugin;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.OutOfMemoryException;
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
 */
record PluginGuard(String owner, String plugin, Optional<ClassLoader> loader) {
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

  /** The way from a guarded object to the plugin's own. */
  private record Handler(PluginGuard guard, Object target) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      if (method.getName().equals("equals") && method.getParameterCount() == 1) {
        return proxy == arguments[0];
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
    String remedy = PluginFaults.otherVersion(problem).orElse("Tell its author");
    return PecfException.pluginFault("%s failed: %s. %s.", name(), problem, remedy)
        .causedBy(problem);
  }

  /** Return the name of the called object and of its plugin. */
  String name() {
    return owner + " (" + plugin + ")";
  }
}
