package org.pecf.engine.plugin;

import java.lang.reflect.Method;

/**
 * Let plugins load native libraries if the engine may.
 *
 * <p>From Java 22 on this is granted by module, and {@code --enable-native-access} reaches no
 * module outside the boot layer; so the engine hands on what it was given.
 */
final class NativeAccess {
  private NativeAccess() {}

  static void passOn(ModuleLayer.Controller controller) {
    if (Runtime.version().feature() < 22) {
      return;
    }
    try {
      Method enabled = Module.class.getMethod("isNativeAccessEnabled");
      if (!(boolean) enabled.invoke(NativeAccess.class.getModule())) {
        return;
      }
      Method enable = ModuleLayer.Controller.class.getMethod("enableNativeAccess", Module.class);
      for (Module module : controller.layer().modules()) {
        enable.invoke(controller, module);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Java 22 and later have these methods", e);
    }
  }
}
