package org.pecf.engine.plugin.verify;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.engine.archive.Digest;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginInspection;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.engine.plugin.ProviderKind;

/** The checks of a plugin that need none of its code to run. */
public final class PluginVerifier {
  private static final String SPI = "SPI version";

  /** The version of the SPI's module: the SPI version, then the release. */
  private static final Pattern SPI_VERSION = Pattern.compile("(\\d{1,9})\\+.*");

  private final PluginInspection plugin;
  private final Map<Path, JarContents> contents = new TreeMap<>();
  private final List<Diagnostic> diagnostics = new ArrayList<>();

  private PluginVerifier(PluginInspection plugin) {
    this.plugin = plugin;
  }

  /**
   * Check a plugin.
   *
   * @param location a jar, or a folder with a jar and its libraries
   * @param trust the plugins that are trusted
   */
  public static List<Diagnostic> verify(Path location, PluginTrust trust) {
    return new PluginVerifier(PluginInspection.of(location)).verify(trust);
  }

  private List<Diagnostic> verify(PluginTrust trust) {
    read();
    modules();
    for (Map.Entry<Path, ModuleDescriptor> module : providing().entrySet()) {
      JarContents jar = contents.get(module.getKey());
      if (jar != null) {
        services(module.getKey(), module.getValue(), jar);
        spiVersion(module.getKey(), module.getValue());
        exports(module.getKey(), module.getValue());
      }
    }
    ownCopyOfTheSpi();
    javaRelease();
    natives();
    try {
      digest();
      trust(trust);
    } catch (IOException e) {
      diagnostics.add(unreadable(e));
    }
    return List.copyOf(diagnostics);
  }

  private void read() {
    for (Path jar : plugin.modules().keySet()) {
      try {
        contents.put(jar, JarContents.read(jar));
      } catch (IOException e) {
        diagnostics.add(unreadable(e));
      }
    }
  }

  private static Diagnostic unreadable(IOException problem) {
    return Diagnostic.error("file", "It cannot be read: " + problem, "Download or build it again");
  }

  private Map<Path, ModuleDescriptor> providing() {
    return ProviderClass.modules(plugin);
  }

  private void modules() {
    plugin.diagnostics().forEach(problem -> diagnostics.add(problem.about("module")));
    for (Map.Entry<Path, ModuleDescriptor> module : providing().entrySet()) {
      ModuleDescriptor descriptor = module.getValue();
      String name = name(module.getKey());
      if (descriptor.isAutomatic()) {
        diagnostics.add(
            Diagnostic.warning(
                "module",
                name + " has no module-info: it is module " + descriptor.name() + " by its name",
                "Add a module-info.java, or Automatic-Module-Name to the manifest"));
      } else {
        diagnostics.add(
            Diagnostic.ok("module", name + " is module " + descriptor.toNameAndVersion()));
      }
    }
    if (plugin.diagnostics().isEmpty() && !plugin.modules().isEmpty()) {
      diagnostics.add(
          Diagnostic.ok("packages", "no package is split, and every required module is there"));
    }
  }

  /** Check that module-info and META-INF/services name the same providers, and that they exist. */
  private void services(Path jar, ModuleDescriptor descriptor, JarContents content) {
    List<Diagnostic> wrong = new ArrayList<>();
    Set<String> providers = new TreeSet<>();
    for (ProviderKind<?> kind : ProviderKind.all()) {
      String service = kind.service().getName();
      List<String> named =
          ProviderClass.of(descriptor, kind).stream().map(ProviderClass::name).toList();
      List<String> listed = content.services().getOrDefault(service, List.of());
      providers.addAll(named);
      if (named.equals(listed)) {
        continue;
      }
      if (listed.isEmpty()) {
        wrong.add(
            Diagnostic.warning(
                "services",
                "%s has no META-INF/services/%s: on a class path it provides nothing"
                    .formatted(name(jar), service),
                "Add the file, with the same classes as module-info"));
      } else if (!new HashSet<>(named).equals(new HashSet<>(listed))) {
        wrong.add(
            Diagnostic.error(
                "services",
                "%s contradicts itself: module-info provides %s, META-INF/services/%s has %s"
                    .formatted(
                        name(jar), String.join(", ", named), service, String.join(", ", listed)),
                "Name the same classes in both"));
      }
    }
    for (String provider : providers) {
      if (!content.releases().containsKey(provider)) {
        wrong.add(
            Diagnostic.error(
                "services",
                name(jar) + " names the provider " + provider + ", which is not in it",
                "Build it again with that class, or do not name it"));
      }
    }
    diagnostics.addAll(wrong);
    if (wrong.isEmpty()) {
      diagnostics.add(
          Diagnostic.ok("services", name(jar) + " provides " + String.join(", ", providers)));
    }
  }

  /** Compare the version of the SPI that the compiler recorded in module-info with this one. */
  private void spiVersion(Path jar, ModuleDescriptor descriptor) {
    Optional<Integer> recorded =
        descriptor.requires().stream()
            .filter(requires -> requires.name().equals(SpiVersion.class.getModule().getName()))
            .flatMap(requires -> requires.rawCompiledVersion().stream())
            .map(SPI_VERSION::matcher)
            .filter(Matcher::matches)
            .map(version -> Integer.valueOf(version.group(1)))
            .findFirst();
    if (recorded.isEmpty()) {
      diagnostics.add(
          Diagnostic.warning(
              SPI,
              name(jar) + " does not record the version of the SPI that it was compiled against",
              "It becomes known when the plugin is loaded: see 'pecf-run plugins list'"));
      return;
    }
    int version = recorded.get();
    if (version == SpiVersion.CURRENT) {
      diagnostics.add(Diagnostic.ok(SPI, name(jar) + " was compiled against version " + version));
      return;
    }
    diagnostics.add(
        Diagnostic.error(
            SPI,
            "%s was compiled against version %d of the SPI and this PECF has version %d"
                .formatted(name(jar), version, SpiVersion.CURRENT),
            version > SpiVersion.CURRENT
                ? "Update PECF, or get an older release of the plugin"
                : "Get a newer release of the plugin"));
  }

  private void exports(Path jar, ModuleDescriptor descriptor) {
    if (descriptor.isAutomatic()) {
      return;
    }
    List<String> exports =
        descriptor.exports().stream().map(ModuleDescriptor.Exports::source).sorted().toList();
    diagnostics.add(
        exports.isEmpty()
            ? Diagnostic.ok("exports", name(jar) + " exports nothing")
            : Diagnostic.warning(
                "exports",
                name(jar) + " exports " + String.join(", ", exports) + ", which nobody can use",
                "Remove the exports: plugins are reached through their providers"));
  }

  private void ownCopyOfTheSpi() {
    boolean copied = false;
    for (Map.Entry<Path, JarContents> jar : contents.entrySet()) {
      long classes =
          jar.getValue().releases().keySet().stream()
              .filter(name -> name.startsWith("org.pecf.api."))
              .count();
      if (classes > 0) {
        copied = true;
        diagnostics.add(
            Diagnostic.error(
                "pecf-api",
                name(jar.getKey()) + " holds its own copy of pecf-api (" + classes + " classes)",
                "Build it with pecf-api in Maven's scope 'provided'"));
      }
    }
    if (!copied && plugin.modules().size() == plugin.jars().size() && !contents.isEmpty()) {
      diagnostics.add(Diagnostic.ok("pecf-api", "the plugin brings no copy of PECF's own classes"));
    }
  }

  private void javaRelease() {
    int newest = 0;
    String where = "";
    for (Map.Entry<Path, JarContents> jar : contents.entrySet()) {
      for (Map.Entry<String, Integer> file : jar.getValue().releases().entrySet()) {
        if (file.getValue() > newest) {
          newest = file.getValue();
          where = file.getKey() + " of " + name(jar.getKey());
        }
      }
      for (String entry : jar.getValue().damaged()) {
        diagnostics.add(
            Diagnostic.error(
                "classes",
                entry + " of " + name(jar.getKey()) + " is damaged: it is not a class file",
                "Download or build it again"));
      }
    }
    int own = Runtime.version().feature();
    if (newest > own) {
      diagnostics.add(
          Diagnostic.error(
              "Java release",
              where + " was compiled for Java " + newest + " and this is Java " + own,
              "Run PECF with that Java, or get the plugin for this one"));
    } else if (newest > 0) {
      diagnostics.add(
          Diagnostic.ok("Java release", "the plugin runs on Java " + newest + " and later"));
    }
  }

  private void natives() {
    List<String> natives =
        contents.entrySet().stream()
            .flatMap(
                jar ->
                    jar.getValue().natives().stream()
                        .map(library -> library + " in " + name(jar.getKey())))
            .toList();
    if (natives.isEmpty()) {
      if (!contents.isEmpty()) {
        diagnostics.add(Diagnostic.ok("native code", "the plugin has none"));
      }
      return;
    }
    diagnostics.add(
        Diagnostic.warning(
            "native code",
            String.format(
                "the plugin brings %s%s",
                natives.get(0), natives.size() > 1 ? " and " + (natives.size() - 1) + " more" : ""),
            "Native code works on its own platforms only, and can do everything that you can do"));
  }

  private void digest() throws IOException {
    if (plugin.jars().isEmpty()) {
      return;
    }
    String digest = Digest.of(plugin.jars());
    diagnostics.add(
        Diagnostic.ok(
            "digest",
            String.format(
                "SHA-256 %s%s",
                digest, plugin.jars().size() > 1 ? " of " + plugin.jars().size() + " jars" : "")));
  }

  private void trust(PluginTrust trust) throws IOException {
    if (!trust.active() || plugin.jars().isEmpty()) {
      return;
    }
    String list = trust.list().map(Path::toString).orElse("the list of trusted plugins");
    if (trust.lists(plugin.jars())) {
      diagnostics.add(Diagnostic.ok("trust", "the plugin is trusted by " + list));
      return;
    }
    diagnostics.add(
        Diagnostic.warning(
            "trust",
            "the plugin is not in " + list + (trust.strict() ? " and will not be loaded" : ""),
            "If you trust it, add its digest there"));
  }

  private static String name(Path jar) {
    return jar.getFileName().toString();
  }

  /**
   * A provider class that a module declares.
   *
   * @param kind the kind of provider
   * @param name the name of the class
   */
  private record ProviderClass(ProviderKind<?> kind, String name) {
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
}
