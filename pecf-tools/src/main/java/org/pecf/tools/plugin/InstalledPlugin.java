package org.pecf.tools.plugin;

import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.pecf.platform.plugin.PluginInspection;

/**
 * An installed plugin, and the names it answers to without any of its code being run.
 *
 * @param location the jar or folder
 * @param modules the modules that declare providers
 */
record InstalledPlugin(Path location, Set<String> modules) {
  static InstalledPlugin at(Path location) {
    return new InstalledPlugin(
        location,
        ProviderClass.modules(PluginInspection.of(location)).values().stream()
            .map(ModuleDescriptor::name)
            .collect(Collectors.toSet()));
  }

  /** Return the name of the file or folder. */
  String fileName() {
    return location.getFileName().toString();
  }

  /** Return whether a word is the name of its file, with or without the suffix, or of a module. */
  boolean isNamed(String word) {
    return fileName().equals(word) || fileName().equals(word + ".jar") || modules.contains(word);
  }
}
