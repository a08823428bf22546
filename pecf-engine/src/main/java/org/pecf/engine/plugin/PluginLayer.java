package org.pecf.engine.plugin;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The layer and class loader that the modules of one plugin have for themselves. */
final class PluginLayer {
  private PluginLayer() {}

  /** Load a plugin; if that fails, its findings receives the reason. */
  static Optional<ModuleLayer> load(PluginFolders.Candidate candidate, ModuleLayer parent) {
    return PluginModules.read(candidate, parent)
        .resolve()
        .flatMap(configuration -> define(configuration, parent, candidate.findings()));
  }

  private static Optional<ModuleLayer> define(
      Configuration configuration, ModuleLayer parent, PluginFindings findings) {
    try {
      ModuleLayer.Controller controller =
          ModuleLayer.defineModulesWithOneLoader(
              configuration, List.of(parent), PluginLayer.class.getClassLoader());
      NativeAccess.passOn(controller);
      controller.layer().modules().stream()
          .findFirst()
          .ifPresent(module -> findings.loadedBy(module.getClassLoader()));
      return Optional.of(controller.layer());
    } catch (RuntimeException | LinkageError e) {
      findings.add(PluginFaults.badLayer(findings.location(), e));
      return Optional.empty();
    }
  }

  /** Return the number of providers of a kind that the modules of a layer declare. */
  static int declared(ModuleLayer layer, ProviderKind<?> kind) {
    return layer.modules().stream()
        .map(Module::getDescriptor)
        .map(ModuleDescriptor::provides)
        .flatMap(Collection::stream)
        .filter(provides -> provides.service().equals(kind.service().getName()))
        .mapToInt(provides -> provides.providers().size())
        .sum();
  }

  /**
   * The permission to load native libraries, which plugins have if PECF has it.
   *
   * <p>From Java 22 on this is granted to modules, and {@code --enable-native-access} reaches no
   * module outside the boot layer; so this module passes its own permission on.
   */
  private static final class NativeAccess {
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
}
