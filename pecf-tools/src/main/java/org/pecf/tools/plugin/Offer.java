package org.pecf.tools.plugin;

import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.ProviderKind;

/**
 * Be what a plugin offers, as far as its byte code tells.
 *
 * @param kind what it is
 * @param id the name by which it is chosen
 */
public record Offer(ProviderKind<?> kind, String id) {
  @Override
  public String toString() {
    return kind + " " + id;
  }

  /** Return the modules of a plugin that offer something that PECF knows, by their jars. */
  static Map<Path, ModuleDescriptor> modules(PluginInspection plugin) {
    Map<Path, ModuleDescriptor> offering = new TreeMap<>(plugin.modules());
    offering
        .values()
        .removeIf(
            module ->
                ProviderKind.all().stream().allMatch(kind -> providers(module, kind).isEmpty()));
    return offering;
  }

  /** Return the provider classes of a kind that a module names. */
  static List<String> providers(ModuleDescriptor module, ProviderKind<?> kind) {
    return module.provides().stream()
        .filter(provides -> provides.service().equals(kind.service().getName()))
        .map(ModuleDescriptor.Provides::providers)
        .flatMap(Collection::stream)
        .toList();
  }
}
