package org.pecf.engine.plugin;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
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
}
