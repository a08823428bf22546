package org.pecf.tools.plugin;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.ProviderKind;

/**
 * Know by which names a plugin can be meant, without running any of its code.
 *
 * @param location the jar or folder
 * @param modules the modules that offer something
 * @param offers what they offer
 */
record PluginNames(Path location, Set<String> modules, Set<Offer> offers) {
  static PluginNames of(Path location) {
    Set<String> modules = new HashSet<>();
    Set<Offer> offers = new HashSet<>();
    Map<Path, ModuleDescriptor> offering = Offer.modules(PluginInspection.of(location));
    offering.forEach(
        (jar, module) -> {
          modules.add(module.name());
          try {
            JarContents content = JarContents.read(jar);
            for (ProviderKind<?> kind : ProviderKind.all()) {
              Offer.providers(module, kind).stream()
                  .map(content.classes()::get)
                  .filter(file -> file != null)
                  .flatMap(file -> file.descriptions().stream())
                  .forEach(described -> offers.add(new Offer(kind, described.id())));
            }
          } catch (IOException e) {
            // A damaged jar still has the name of its file.
          }
        });
    return new PluginNames(location, modules, offers);
  }

  /** Return the name of the file or folder. */
  String fileName() {
    return location.getFileName().toString();
  }

  /** Return whether a word means this plugin: its file, its module or the id of an offer. */
  boolean isMeantBy(String word) {
    return fileName().equals(word)
        || fileName().equals(word + ".jar")
        || modules.contains(word)
        || offers.stream().anyMatch(offer -> offer.id().equals(word));
  }
}
