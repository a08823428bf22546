package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.memory.Side;

/** Whatever a backend hands out is guarded as the backend itself is. */
class PluginGuardTest {
  @Test
  void everyKernelOfASessionIsGuarded() throws ReflectiveOperationException {
    PluginGuard guard = new PluginGuard("backend broken", "broken.jar", Optional.empty(), Map.of());
    ComputeSession session = guard.guard(ComputeSession.class, failing(ComputeSession.class));
    List<Method> kernels =
        Arrays.stream(ComputeSession.class.getMethods())
            .filter(method -> method.getReturnType().isInterface())
            .toList();
    assertTrue(kernels.size() >= 3, kernels.toString());
    for (Method kernel : kernels) {
      Object returned = kernel.invoke(session, new Object[kernel.getParameterCount()]);
      Method failing =
          Arrays.stream(kernel.getReturnType().getMethods())
              .filter(method -> !method.getReturnType().isInterface())
              .findFirst()
              .orElseThrow();
      Object[] arguments =
          Arrays.stream(failing.getParameterTypes())
              .map(type -> type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null)
              .toArray();
      InvocationTargetException thrown =
          assertThrows(InvocationTargetException.class, () -> failing.invoke(returned, arguments));
      PecfException problem = (PecfException) thrown.getCause();
      assertEquals(ErrorCode.PLUGIN_FAULT, problem.code());
      assertEquals(
          "backend broken (broken.jar) failed: java.lang.IllegalStateException: of "
              + kernel.getReturnType().getSimpleName()
              + ". Tell its author.",
          problem.getMessage());
    }
  }

  /** Backends give memory back when a kernel is closed, and check no address at every call. */
  @Test
  void nothingThatIsClosedIsCalled() {
    PluginGuard guard = new PluginGuard("backend broken", "broken.jar", Optional.empty(), Map.of());
    List<String> called = new ArrayList<>();
    LeastSquares kernel =
        guard.guard(
            LeastSquares.class,
            Proxy.newProxyInstance(
                PluginGuardTest.class.getClassLoader(),
                new Class<?>[] {LeastSquares.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName());
                  return method.getReturnType() == double.class ? 1.0 : null;
                }));
    kernel.unitPenalty(Side.USERS);
    kernel.close();
    kernel.close();
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> kernel.unitPenalty(Side.USERS));
    assertEquals("unitPenalty was called after close", refused.getMessage());
    assertEquals(List.of("unitPenalty", "close"), called);
  }

  @Test
  void whatIsGuardedIsNamedWithItsPlugin() {
    PluginGuard guard = new PluginGuard("backend broken", "broken.jar", Optional.empty(), Map.of());
    ComputeSession session = guard.guard(ComputeSession.class, failing(ComputeSession.class));
    assertEquals("backend broken (broken.jar)", PluginCatalog.nameOf(session, "a backend"));
    assertEquals("a backend", PluginCatalog.nameOf(failing(ComputeSession.class), "a backend"));
    assertEquals("a backend", PluginCatalog.nameOf("text", "a backend"));
  }

  /** Return an object whose methods return objects like it, or fail where they cannot. */
  private static Object failing(Class<?> type) {
    return Proxy.newProxyInstance(
        PluginGuardTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (method.getReturnType().isInterface()) {
            return failing(method.getReturnType());
          }
          throw new IllegalStateException("of " + type.getSimpleName());
        });
  }
}
