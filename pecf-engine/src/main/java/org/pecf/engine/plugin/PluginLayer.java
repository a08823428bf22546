package org.pecf.engine.plugin;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.pecf.api.plugin.OptionSchema;

/** Load the modules of one plugin in a layer and class loader of their own. */
final class PluginLayer {
  private PluginLayer() {}

  /** Load a plugin; if that fails, its draft says why. */
  static Optional<ModuleLayer> load(PluginFolders.Candidate candidate, ModuleLayer parent) {
    return PluginModules.read(candidate, parent)
        .resolve()
        .flatMap(configuration -> define(configuration, parent, candidate.draft()));
  }

  private static Optional<ModuleLayer> define(
      Configuration configuration, ModuleLayer parent, PluginDraft draft) {
    try {
      ModuleLayer.Controller controller =
          ModuleLayer.defineModulesWithOneLoader(
              configuration, List.of(parent), PluginLayer.class.getClassLoader());
      NativeAccess.passOn(controller);
      openToSpi(controller);
      controller.layer().modules().stream()
          .findFirst()
          .ifPresent(module -> draft.loadedBy(module.getClassLoader()));
      return Optional.of(controller.layer());
    } catch (RuntimeException | LinkageError e) {
      draft.add(PluginFaults.badLayer(draft.location(), e));
      return Optional.empty();
    }
  }

  /** Let the SPI make option records by plain reflection, which starts faster than handles. */
  private static void openToSpi(ModuleLayer.Controller controller) {
    Module spi = OptionSchema.class.getModule();
    for (Module module : controller.layer().modules()) {
      if (PluginModules.offers(module.getDescriptor())) {
        for (String name : module.getPackages()) {
          controller.addOpens(module, name, spi);
        }
      }
    }
  }

  /** Return how many providers of a kind the modules of a layer name. */
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
