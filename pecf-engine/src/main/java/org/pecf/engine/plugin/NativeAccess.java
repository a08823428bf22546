package org.pecf.engine.plugin;

import java.lang.reflect.Method;

/**
 * The permission to load native libraries, which plugins have if PECF has it.
 *
 * <p>From Java 22 on this is granted to modules, and {@code --enable-native-access} reaches no
 * module outside the boot layer; so this module passes its own permission on.
 */
public final class NativeAccess {
  private NativeAccess() {}

  /** Return whether PECF, and with it every plugin, may load native libraries. */
  public static boolean granted() {
    if (!byModule()) {
      return true;
    }
    try {
      Method enabled = Module.class.getMethod("isNativeAccessEnabled");
      return (boolean) enabled.invoke(NativeAccess.class.getModule());
    } catch (ReflectiveOperationException e) {
      throw missing(e);
    }
  }

  static void passOn(ModuleLayer.Controller controller) {
    if (!byModule() || !granted()) {
      return;
    }
    try {
      Method enable = ModuleLayer.Controller.class.getMethod("enableNativeAccess", Module.class);
      for (Module module : controller.layer().modules()) {
        enable.invoke(controller, module);
      }
    } catch (ReflectiveOperationException e) {
      throw missing(e);
    }
  }

  private static boolean byModule() {
    return Runtime.version().feature() >= 22;
  }

  private static IllegalStateException missing(ReflectiveOperationException cause) {
    return new IllegalStateException("Java 22 and later have these methods", cause);
  }
}
