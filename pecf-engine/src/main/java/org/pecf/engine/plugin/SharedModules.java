package org.pecf.engine.plugin;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The modules of the program that plugins share: the SPI, Arrow, logging and whatever these expose
 * by {@code requires transitive}; and besides the modules of Java and those that provide something
 * themselves, because there must be one of each. Of every other library a plugin may bring a
 * version of its own.
 */
final class SharedModules {
  /** The module of the SPI. */
  static final String SPI = "org.pecf.api";

  /** The families of modules whose types cross the boundary between the program and a plugin. */
  private static final List<String> FAMILIES =
      List.of(SPI, "org.apache.arrow", "org.slf4j", "org.apache.logging.log4j");

  private final ModuleLayer program;
  private final Set<String> names = new HashSet<>();

  private SharedModules(ModuleLayer program) {
    this.program = program;
  }

  /** Return the names of the modules of a layer and its parents that plugins share. */
  static Set<String> of(ModuleLayer program) {
    SharedModules shared = new SharedModules(program);
    layers(program)
        .flatMap(layer -> layer.modules().stream())
        .map(Module::getDescriptor)
        .forEach(shared::consider);
    return Set.copyOf(shared.names);
  }

  /** Return whether a module belongs to a family of which there is one copy. */
  static boolean inFamily(String name) {
    return FAMILIES.stream()
        .anyMatch(family -> name.equals(family) || name.startsWith(family + "."));
  }

  private static Stream<ModuleLayer> layers(ModuleLayer layer) {
    return Stream.concat(Stream.of(layer), layer.parents().stream().flatMap(SharedModules::layers));
  }

  private void consider(ModuleDescriptor module) {
    String name = module.name();
    if (inFamily(name)) {
      addWithExposed(module);
    } else if (PluginModules.offers(module) || ModuleFinder.ofSystem().find(name).isPresent()) {
      names.add(name);
    }
  }

  private void addWithExposed(ModuleDescriptor module) {
    if (names.add(module.name())) {
      module.requires().stream()
          .filter(requires -> requires.modifiers().contains(Requires.Modifier.TRANSITIVE))
          .map(requires -> program.findModule(requires.name()))
          .flatMap(Optional::stream)
          .map(Module::getDescriptor)
          .forEach(this::addWithExposed);
    }
  }
}
