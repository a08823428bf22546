package org.pecf.engine.plugin;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Know the modules of one plugin without running any of its code.
 *
 * <p>A module that the parent layer has is taken from there, so that all plugins share one SPI, one
 * Arrow and one log; everything else is private to the plugin. All modules of the plugin are roots:
 * jars of native libraries are needed though nobody requires them.
 */
final class PluginModules {
  private final ModuleLayer parent;
  private final PluginDraft draft;
  private final Map<String, Path> jars = new TreeMap<>();
  private final Map<String, ModuleReference> modules = new TreeMap<>();
  private boolean failed;
  private boolean builtInAlready;
  private boolean offering;

  private PluginModules(ModuleLayer parent, PluginDraft draft) {
    this.parent = parent;
    this.draft = draft;
  }

  /** Read what the jars of a plugin say of themselves; its draft says what is wrong with them. */
  static PluginModules read(PluginFolders.Candidate candidate, ModuleLayer parent) {
    PluginModules modules = new PluginModules(parent, candidate.draft());
    candidate.jars().forEach(modules::read);
    modules.describe();
    return modules;
  }

  private void read(Path jar) {
    try {
      // One finder a jar: a finder of many fails altogether if one jar is bad.
      for (ModuleReference module : ModuleFinder.of(jar).findAll()) {
        add(jar, module);
      }
    } catch (RuntimeException e) {
      fail(PluginFaults.badJar(jar, e));
    }
  }

  private void add(Path jar, ModuleReference module) {
    String name = module.descriptor().name();
    if (parent.findModule(name).isPresent()) {
      draft.add(
          Diagnostic.warning(
              jar + " is not used: PECF has module " + name + " already",
              "Leave it out of the plugin (Maven scope 'provided')"));
      builtInAlready |= offers(module.descriptor());
      return;
    }
    Path other = jars.putIfAbsent(name, jar);
    if (other != null) {
      fail(
          Diagnostic.error(
              other + " and " + jar + " are both module " + name, "Remove one of them"));
    }
    modules.putIfAbsent(name, module);
  }

  /** Note the names of the plugin even if it turns out to be broken. */
  private void describe() {
    List<ModuleDescriptor> offers =
        modules.values().stream()
            .map(ModuleReference::descriptor)
            .filter(PluginModules::offers)
            .toList();
    offers.forEach(
        descriptor ->
            descriptor.provides().forEach(provides -> draft.declare(provides.providers())));
    offering = !offers.isEmpty();
    if (offering) {
      draft.describe(offers.get(0));
    } else if (modules.size() == 1) {
      draft.describe(modules.values().iterator().next().descriptor());
    }
    if (!offering && builtInAlready) {
      draft.ignore();
    } else if (!offering && !failed) {
      fail(
          Diagnostic.error(
              draft.location() + " provides nothing that PECF knows",
              "A plugin names its providers by 'provides ... with ...' in module-info.java, or in"
                  + " META-INF/services; if this is a library, put it into the folder of the"
                  + " plugin that needs it"));
    }
  }

  /** Return whether a module provides something that PECF knows. */
  static boolean offers(ModuleDescriptor descriptor) {
    Set<String> services =
        ProviderKind.all().stream()
            .map(kind -> kind.service().getName())
            .collect(Collectors.toSet());
    return descriptor.provides().stream().anyMatch(offer -> services.contains(offer.service()));
  }

  /**
   * Resolve the modules against the parent layer, which finds what is missing and what collides. No
   * class is loaded.
   */
  Optional<Configuration> resolve() {
    if (failed || !offering) {
      return Optional.empty();
    }
    requireAll();
    refuseSplitPackages();
    if (failed) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          parent.configuration().resolve(finder(), ModuleFinder.of(), modules.keySet()));
    } catch (RuntimeException e) {
      fail(PluginFaults.badLayer(draft.location(), e));
      return Optional.empty();
    }
  }

  private ModuleFinder finder() {
    return new ModuleFinder() {
      @Override
      public Optional<ModuleReference> find(String name) {
        return Optional.ofNullable(modules.get(name));
      }

      @Override
      public Set<ModuleReference> findAll() {
        return Set.copyOf(modules.values());
      }
    };
  }

  private void requireAll() {
    for (ModuleReference module : modules.values()) {
      for (ModuleDescriptor.Requires requires : module.descriptor().requires()) {
        String name = requires.name();
        boolean needed = !requires.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC);
        if (needed && !modules.containsKey(name) && parent.findModule(name).isEmpty()) {
          fail(
              Diagnostic.error(
                  jars.get(module.descriptor().name())
                      + " requires module "
                      + name
                      + ", which is not there",
                  remedyFor(name)));
        }
      }
    }
  }

  /** Return the plugin's own modules by their jars. */
  Map<Path, ModuleDescriptor> descriptors() {
    Map<Path, ModuleDescriptor> descriptors = new TreeMap<>();
    jars.forEach((name, jar) -> descriptors.put(jar, modules.get(name).descriptor()));
    return descriptors;
  }

  private String remedyFor(String missing) {
    if (!PluginModules.class.getModule().isNamed() && missing.equals("org.pecf.api")) {
      return "Plugins with a module-info are loaded from folders only if PECF runs from the module"
          + " path; on the class path, put the plugin's jars on the class path too";
    }
    return ModuleFinder.ofSystem().find(missing).isPresent()
        ? "Start Java with --add-modules=" + missing
        : "Make a folder for the plugin under the plugins folder and put the jar of that module"
            + " there, beside the plugin's own";
  }

  private void refuseSplitPackages() {
    Map<String, String> owners = new HashMap<>();
    for (ModuleReference module : modules.values()) {
      String name = module.descriptor().name();
      for (String packageName : module.descriptor().packages()) {
        String other = owners.putIfAbsent(packageName, name);
        if (other != null) {
          fail(
              Diagnostic.error(
                  "Package "
                      + packageName
                      + " is both in "
                      + jars.get(other)
                      + " and in "
                      + jars.get(name),
                  "Java allows a package in one module only: remove one of the jars, or merge"
                      + " them into one"));
        }
      }
    }
  }

  private void fail(Diagnostic problem) {
    failed = true;
    draft.add(problem);
  }
}
