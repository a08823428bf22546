package org.pecf.engine.plugin;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The modules of one plugin, read without running any of its code.
 *
 * <p>Modules that plugins {@linkplain SharedModules share} with the program are taken from the
 * program. All others are the plugin's own, even if the program has another version of one. Every
 * module of the plugin is a root: jars of native libraries are needed although no module requires
 * them.
 */
final class PluginModules {
  private final ModuleLayer parent;
  private final PluginFindings findings;

  /** Whether the SPI is no module of the program's layer. */
  private final boolean onClassPath;

  private final Map<String, Path> jars = new TreeMap<>();
  private final Map<String, ModuleReference> modules = new TreeMap<>();
  private boolean failed;
  private boolean builtInAlready;
  private boolean offering;

  private PluginModules(ModuleLayer parent, PluginFindings findings) {
    this.parent = parent;
    this.findings = findings;
    this.onClassPath = parent.findModule(SharedModules.SPI).isEmpty();
  }

  /**
   * Read the descriptors of a plugin's jars.
   *
   * @param candidate the plugin, whose findings receives the diagnostics. Modified.
   * @param parent the program's layer
   */
  static PluginModules read(PluginFolders.Candidate candidate, ModuleLayer parent) {
    PluginModules modules = new PluginModules(parent, candidate.findings());
    for (int k = 0; k < candidate.jars().size(); k++) {
      modules.read(candidate.jars().get(k), candidate.contents().get(k));
    }
    modules.removeCopies();
    modules.describe();
    return modules;
  }

  private void read(Path jar, Path content) {
    try {
      // One finder per jar: a finder of many fails altogether if one jar is bad.
      for (ModuleReference module : ModuleFinder.of(content).findAll()) {
        add(jar, module);
      }
    } catch (RuntimeException e) {
      fail(PluginFaults.badJar(jar, e));
    }
  }

  private void add(Path jar, ModuleReference module) {
    String name = module.descriptor().name();
    Path other = jars.putIfAbsent(name, jar);
    if (other == null) {
      modules.put(name, module);
    } else {
      fail(
          Diagnostic.error(
              "%s and %s are both module %s".formatted(other, jar, name), "Remove one of them"));
    }
  }

  /** Remove the modules of which the program's copy must be used. */
  private void removeCopies() {
    List<String> copies =
        modules.keySet().stream()
            .filter(
                name ->
                    parent.findModule(name).isPresent()
                        || onClassPath && SharedModules.inFamily(name))
            .toList();
    if (copies.isEmpty()) {
      return;
    }
    Set<String> shared = SharedModules.of(parent);
    copies.stream()
        .filter(name -> shared.contains(name) || SharedModules.inFamily(name))
        .forEach(this::removeShared);
    Optional<String> plain =
        modules.keySet().stream().filter(name -> descriptor(name).isAutomatic()).findFirst();
    if (plain.isPresent()) {
      Path plainJar = Objects.requireNonNull(jars.get(plain.get()));
      copies.stream().filter(modules::containsKey).forEach(name -> removeHidden(name, plainJar));
    }
  }

  private void removeShared(String name) {
    builtInAlready |= offers(descriptor(name));
    remove(
        name,
        "%s is not used: PECF has module %s already".formatted(jars.get(name), name),
        "Leave it out of the plugin (Maven scope 'provided')");
  }

  /** A jar without a module-info reads all modules of the program, and never two of one name. */
  private void removeHidden(String name, Path plainJar) {
    remove(
        name,
        "%s is not used: %s has no module-info, so that it sees module %s of PECF%s"
            .formatted(
                jars.get(name),
                plainJar,
                name,
                parent
                    .findModule(name)
                    .flatMap(module -> module.getDescriptor().rawVersion())
                    .map(", version "::concat)
                    .orElse("")),
        "Use a release of that jar that has a module-info, or leave the library out of the plugin");
  }

  private void remove(String name, String message, String remedy) {
    findings.add(Diagnostic.warning(message, remedy));
    modules.remove(name);
    jars.remove(name);
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
            descriptor.provides().forEach(provides -> findings.declare(provides.providers())));
    offering = !offers.isEmpty();
    if (offering) {
      findings.describe(offers.get(0));
    } else if (modules.size() == 1) {
      findings.describe(modules.values().iterator().next().descriptor());
    }
    if (!offering && builtInAlready) {
      findings.ignore();
    } else if (!offering && !failed) {
      fail(
          Diagnostic.error(
              findings.location() + " provides nothing that PECF knows",
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
   * Resolve the modules against the program's, which finds what is missing and what collides. No
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
      fail(PluginFaults.badLayer(findings.location(), e));
      return Optional.empty();
    }
  }

  private ModuleFinder finder() {
    return new ModuleFinder() {
      @Override
      public Optional<ModuleReference> find(String name) {
        return Optional.ofNullable(modules.get(name)).map(PluginModules.this::loadable);
      }

      @Override
      public Set<ModuleReference> findAll() {
        return modules.values().stream()
            .map(PluginModules.this::loadable)
            .collect(Collectors.toSet());
      }
    };
  }

  /**
   * Return a module as it is loaded. Where PECF is on a class path it becomes an automatic one,
   * since no other reads what is there; it is still found by the classes that it provides.
   */
  private ModuleReference loadable(ModuleReference module) {
    ModuleDescriptor own = module.descriptor();
    if (!onClassPath || own.isAutomatic()) {
      return new HaltFreeModule(module, own);
    }
    ModuleDescriptor.Builder automatic = ModuleDescriptor.newAutomaticModule(own.name());
    automatic.packages(own.packages());
    own.rawVersion().ifPresent(automatic::version);
    own.provides().forEach(automatic::provides);
    return new HaltFreeModule(module, automatic.build());
  }

  private void requireAll() {
    if (onClassPath) {
      // What is there has no names. A class that is missing is noticed when it is needed.
      return;
    }
    for (String name : modules.keySet()) {
      descriptor(name).requires().stream()
          .filter(requires -> !requires.modifiers().contains(Requires.Modifier.STATIC))
          .map(Requires::name)
          .filter(needed -> !modules.containsKey(needed) && parent.findModule(needed).isEmpty())
          .forEach(
              missing ->
                  fail(
                      Diagnostic.error(
                          "%s requires module %s, which is not there"
                              .formatted(jars.get(name), missing),
                          remedyFor(missing))));
    }
  }

  /** Return the plugin's own modules by their jars. */
  Map<Path, ModuleDescriptor> descriptors() {
    Map<Path, ModuleDescriptor> descriptors = new TreeMap<>();
    jars.forEach((name, jar) -> descriptors.put(jar, descriptor(name)));
    return descriptors;
  }

  private ModuleDescriptor descriptor(String name) {
    return Objects.requireNonNull(modules.get(name)).descriptor();
  }

  private String remedyFor(String missing) {
    return ModuleFinder.ofSystem().find(missing).isPresent()
        ? "Start Java with --add-modules=" + missing
        : "Make a folder for the plugin under the plugins folder and put the jar of that module"
            + " there, beside the plugin's own";
  }

  private void refuseSplitPackages() {
    Map<String, String> owners = new HashMap<>();
    for (String name : modules.keySet()) {
      for (String packageName : descriptor(name).packages()) {
        String other = owners.putIfAbsent(packageName, name);
        if (other != null) {
          fail(
              Diagnostic.error(
                  "Package %s is both in %s and in %s"
                      .formatted(packageName, jars.get(other), jars.get(name)),
                  "Java allows a package in one module only: remove one of the jars, or merge"
                      + " them into one"));
        }
      }
    }
  }

  private void fail(Diagnostic diagnostic) {
    failed = true;
    findings.add(diagnostic);
  }
}
