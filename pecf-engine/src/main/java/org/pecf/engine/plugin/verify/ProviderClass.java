package org.pecf.engine.plugin.verify;

import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.ProviderKind;

/**
 * A provider class that a module declares.
 *
 * @param kind the kind of provider
 * @param name the name of the class
 */
record ProviderClass(ProviderKind<?> kind, String name) {
  /** Return the provider classes of the kinds that PECF knows, in order of kind. */
  static List<ProviderClass> of(ModuleDescriptor module) {
    return ProviderKind.all().stream().flatMap(kind -> of(module, kind).stream()).toList();
  }

  /** Return the provider classes of a kind. */
  static List<ProviderClass> of(ModuleDescriptor module, ProviderKind<?> kind) {
    return module.provides().stream()
        .filter(provides -> provides.service().equals(kind.service().getName()))
        .flatMap(provides -> provides.providers().stream())
        .<ProviderClass>map(name -> new ProviderClass(kind, name))
        .toList();
  }

  /** Return the modules of a plugin that declare provider classes, by their jars. */
  static Map<Path, ModuleDescriptor> modules(PluginInspection plugin) {
    Map<Path, ModuleDescriptor> modules = new TreeMap<>(plugin.modules());
    modules.values().removeIf(module -> of(module).isEmpty());
    return modules;
  }
}
