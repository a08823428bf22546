package org.pecf.engine.plugin;

import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import org.pecf.api.plugin.Provider;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** A search for providers that instantiates them one by one, so that a bad one stops no other. */
final class ProviderDiscovery {
  private final List<ProviderTable.Entry> found = new ArrayList<>();
  private final ProviderTable table = new ProviderTable();
  private final BuiltInPlugins builtIns = new BuiltInPlugins();
  private final Map<String, String> locations = new HashMap<>();

  /** Look for the providers of the program: in its layer and on the class path. */
  void searchBuiltIns(ModuleLayer program, ClassLoader classPath) {
    for (ProviderKind<?> kind : ProviderKind.all()) {
      Set<Class<?>> seen = new HashSet<>();
      for (ServiceLoader<?> services : List.of(kind.in(program), kind.in(classPath))) {
        each(
            services,
            Integer.MAX_VALUE,
            service -> {
              if (seen.add(service.type())) {
                instantiate(kind, service, builtIns.of(service.type()));
              }
            },
            error -> {
              PluginFindings findings = builtIns.ofProgram();
              findings.add(PluginFaults.badProvider("A " + kind, findings.location(), error));
            });
      }
    }
  }

  /** Look for the providers of a plugin. */
  void searchPlugin(PluginFindings plugin, ModuleLayer layer) {
    for (ProviderKind<?> kind : ProviderKind.all()) {
      int declared = PluginLayer.declared(layer, kind);
      int known = found.size() + plugin.errors().size();
      // The layer's own providers come first, then those of its parents.
      each(
          kind.in(layer),
          declared,
          service -> {
            if (service.type().getModule().getLayer() == layer) {
              locations.put(service.type().getModule().getName(), plugin.location());
              instantiate(kind, service, plugin);
            }
          },
          error -> plugin.add(PluginFaults.badProvider("A " + kind, plugin.location(), error)));
      if (declared > 0 && known == found.size() + plugin.errors().size()) {
        plugin.add(
            Diagnostic.error(
                "%s offers a %s for another SPI than this program's"
                    .formatted(plugin.location(), kind),
                "Load the program and its plugins on one module path or one class path"));
      }
    }
  }

  /** Return the plugins of the program that offer something. */
  List<PluginFindings> builtIns() {
    return builtIns.all();
  }

  /** Return the providers that were found. To be called once, at the end of the search. */
  ProviderTable table() {
    table.enter(found);
    return table;
  }

  private static void each(
      ServiceLoader<?> services,
      int limit,
      Consumer<ServiceLoader.Provider<?>> action,
      Consumer<Throwable> onError) {
    Iterator<? extends ServiceLoader.Provider<?>> providers = services.stream().iterator();
    String lastError = "";
    for (int count = 0; count < limit; count++) {
      try {
        if (!providers.hasNext()) {
          return;
        }
        action.accept(providers.next());
      } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
        onError.accept(e);
        if (lastError.equals(e.toString())) {
          // The iterator does not get past it.
          return;
        }
        lastError = e.toString();
      }
    }
  }

  private void instantiate(
      ProviderKind<?> kind, ServiceLoader.Provider<?> service, PluginFindings plugin) {
    String name = "The %s provider %s".formatted(kind, service.type().getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    plugin.loader().ifPresent(thread::setContextClassLoader);
    try {
      Provider<?, ?> provider = kind.cast(service.get());
      ProviderDescription description = provider.describe();
      if (description == null) {
        plugin.add(
            Diagnostic.error(
                "%s of %s returns null from describe()".formatted(name, plugin.location()),
                "Tell the plugin's author"));
      } else if (description.spiVersion() != SpiVersion.CURRENT) {
        table.refuse(kind, description.id(), plugin, otherVersion(kind, description, plugin));
      } else {
        PluginGuard guard =
            new PluginGuard(
                kind + " " + description.id(), plugin.location(), plugin.loader(), locations);
        Provider<?, ?> guarded = (Provider<?, ?>) guard.guard(kind.service(), provider);
        found.add(new ProviderTable.Entry(kind, description, guard, guarded, plugin));
      }
    } catch (Exception | Error e) {
      plugin.add(PluginFaults.badProvider(name, plugin.location(), e));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Diagnostic otherVersion(
      ProviderKind<?> kind, ProviderDescription description, PluginFindings plugin) {
    return Diagnostic.error(
        "%s offers %s %s for version %s of the SPI, but this PECF has version %s"
            .formatted(
                plugin.location(),
                kind,
                description.id(),
                description.spiVersion(),
                SpiVersion.CURRENT),
        description.spiVersion() > SpiVersion.CURRENT
            ? "Update PECF, or get an older release of the plugin"
            : "Get a newer release of the plugin");
  }

  /** The modules and jars of the program itself that offer providers. */
  private static final class BuiltInPlugins {
    /** The name for the program where a provider cannot even be traced to a jar. */
    private static final String PROGRAM = "PECF";

    private final Map<String, PluginFindings> allFindings = new LinkedHashMap<>();

    /** Return the findings about the module or jar that a class comes from. */
    PluginFindings of(Class<?> type) {
      Module module = type.getModule();
      String location = location(type);
      return allFindings.computeIfAbsent(
          module.isNamed() ? module.getName() : location,
          key -> {
            PluginFindings findings = PluginFindings.builtIn(location);
            if (module.isNamed()) {
              findings.describe(module.getDescriptor());
            } else {
              findings.describeVersion(type.getPackage().getImplementationVersion());
            }
            return findings;
          });
    }

    /** Return the findings about the program as a whole. */
    PluginFindings ofProgram() {
      return allFindings.computeIfAbsent(PROGRAM, PluginFindings::builtIn);
    }

    /** Return all findings, in the order in which they were first asked for. */
    List<PluginFindings> all() {
      return List.copyOf(allFindings.values());
    }

    private static String location(Class<?> type) {
      Module module = type.getModule();
      if (module.isNamed()) {
        return module
            .getLayer()
            .configuration()
            .findModule(module.getName())
            .map(ResolvedModule::reference)
            .flatMap(ModuleReference::location)
            .map(BuiltInPlugins::readable)
            .orElse(module.getName());
      }
      CodeSource source = type.getProtectionDomain().getCodeSource();
      return source == null || source.getLocation() == null
          ? "the class path"
          : readable(URI.create(source.getLocation().toString()));
    }

    private static String readable(URI location) {
      return "file".equals(location.getScheme())
          ? Path.of(location).toString()
          : location.toString();
    }
  }
}
