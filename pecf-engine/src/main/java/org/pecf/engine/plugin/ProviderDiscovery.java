package org.pecf.engine.plugin;

import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.pecf.api.plugin.Provider;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** Instantiate providers one by one, so that a bad one stops no other. */
final class ProviderDiscovery {
  /**
   * Be a provider that works.
   *
   * @param kind what it offers
   * @param description its own words
   * @param guard what stands between it and the engine
   * @param provider the guarded provider
   * @param plugin where it comes from
   */
  record Found(
      ProviderKind<?> kind,
      ProviderDescription description,
      PluginGuard guard,
      Provider<?> provider,
      PluginDraft plugin) {
    String id() {
      return description.id();
    }
  }

  /**
   * Be a provider that is known but not offered.
   *
   * @param kind what it would be
   * @param id under which id
   * @param reason why it is not offered
   */
  record Refused(ProviderKind<?> kind, String id, Diagnostic reason) {}

  private final List<Found> found = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private final Map<String, PluginDraft> builtIns = new LinkedHashMap<>();

  /** Look for what comes with the program: in the parent layer and on the class path. */
  void searchBuiltIns(ModuleLayer parent, ClassLoader classPath) {
    for (ProviderKind<?> kind : ProviderKind.all()) {
      Set<Class<?>> seen = new HashSet<>();
      for (ServiceLoader<?> services : List.of(kind.in(parent), kind.in(classPath))) {
        each(
            services,
            Integer.MAX_VALUE,
            provider -> {
              if (seen.add(provider.type())) {
                instantiate(kind, provider, builtIn(provider.type()));
              }
            },
            error ->
                builtIns
                    .computeIfAbsent("PECF", PluginDraft::builtIn)
                    .add(PluginFaults.badProvider("A " + kind, "PECF", error)));
      }
    }
  }

  /** Look for what a plugin offers. */
  void searchPlugin(PluginDraft plugin, ModuleLayer layer) {
    for (ProviderKind<?> kind : ProviderKind.all()) {
      int declared = PluginLayer.declared(layer, kind);
      int known = found.size() + plugin.errors().size();
      // The layer's own providers come first; what follows is its parents'.
      each(
          kind.in(layer),
          declared,
          provider -> {
            if (provider.type().getModule().getLayer() == layer) {
              instantiate(kind, provider, plugin);
            }
          },
          error -> plugin.add(PluginFaults.badProvider("A " + kind, plugin.location(), error)));
      if (declared > 0 && known == found.size() + plugin.errors().size()) {
        plugin.add(
            Diagnostic.error(
                plugin.location() + " names a " + kind + " for another SPI than this program's",
                "Load the program and its plugins on one module path or one class path"));
      }
    }
  }

  List<PluginDraft> builtIns() {
    return List.copyOf(builtIns.values());
  }

  List<Refused> refused() {
    return refused;
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
      ProviderKind<?> kind, ServiceLoader.Provider<?> service, PluginDraft plugin) {
    String what = kind.word() + " provider " + service.type().getName();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    plugin.loader().ifPresent(thread::setContextClassLoader);
    try {
      Provider<?> provider = kind.cast(service.get());
      ProviderDescription description = provider.describe();
      if (description == null) {
        plugin.add(
            Diagnostic.error(
                what + " of " + plugin.location() + " does not describe itself: describe() is null",
                "Tell the plugin's author"));
      } else if (description.spiVersion() != SpiVersion.CURRENT) {
        refuse(kind, description, plugin, otherVersion(kind, description, plugin));
      } else {
        PluginGuard guard =
            new PluginGuard(kind + " " + description.id(), plugin.location(), plugin.loader());
        Provider<?> guarded = (Provider<?>) guard.guard(kind.service(), provider);
        found.add(new Found(kind, description, guard, guarded, plugin));
      }
    } catch (Exception | Error e) {
      plugin.add(PluginFaults.badProvider(what, plugin.location(), e));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Diagnostic otherVersion(
      ProviderKind<?> kind, ProviderDescription description, PluginDraft plugin) {
    return Diagnostic.error(
        kind
            + " "
            + description.id()
            + " of "
            + plugin.location()
            + " was made for version "
            + description.spiVersion()
            + " of the SPI and this PECF has version "
            + SpiVersion.CURRENT,
        description.spiVersion() > SpiVersion.CURRENT
            ? "Update PECF, or get an older release of the plugin"
            : "Get a newer release of the plugin");
  }

  private void refuse(
      ProviderKind<?> kind,
      ProviderDescription description,
      PluginDraft plugin,
      Diagnostic reason) {
    plugin.add(reason);
    refused.add(new Refused(kind, description.id(), reason));
  }

  /**
   * Return the providers by kind and id. If several have the same, what is built in stays; of
   * others none is offered, for either might be the one that was meant.
   */
  Map<ProviderKind<?>, Map<String, Found>> offered() {
    Map<ProviderKind<?>, Map<String, Found>> offered = new LinkedHashMap<>();
    for (ProviderKind<?> kind : ProviderKind.all()) {
      Map<String, List<Found>> byId = new TreeMap<>();
      found.stream()
          .filter(one -> one.kind() == kind)
          .forEach(one -> byId.computeIfAbsent(one.id(), id -> new ArrayList<>()).add(one));
      Map<String, Found> unique = new TreeMap<>();
      byId.forEach((id, rivals) -> winner(rivals).ifPresent(one -> unique.put(id, one)));
      offered.put(kind, unique);
    }
    return offered;
  }

  private Optional<Found> winner(List<Found> rivals) {
    List<Found> standing = rivals.stream().filter(one -> one.plugin().isBuiltIn()).toList();
    Optional<Found> winner =
        rivals.size() == 1
            ? Optional.of(rivals.get(0))
            : standing.size() == 1 ? Optional.of(standing.get(0)) : Optional.empty();
    for (Found one : rivals) {
      if (winner.isPresent() && one == winner.get()) {
        ProviderDescription words = one.description();
        one.plugin()
            .add(
                new PluginReport.Provided(
                    one.kind(), words.id(), words.spiVersion(), words.summary()));
      } else {
        refuse(one.kind(), one.description(), one.plugin(), duplicate(one, rivals));
      }
    }
    return winner;
  }

  private static Diagnostic duplicate(Found one, List<Found> rivals) {
    List<String> places = rivals.stream().map(rival -> rival.plugin().location()).toList();
    return Diagnostic.error(
        one.guard().owner() + " is offered more than once: by " + String.join(" and by ", places),
        "Remove all but one of them");
  }

  private PluginDraft builtIn(Class<?> type) {
    Module module = type.getModule();
    String key = module.isNamed() ? module.getName() : location(type);
    return builtIns.computeIfAbsent(
        key,
        name -> {
          PluginDraft draft = PluginDraft.builtIn(location(type));
          if (module.isNamed()) {
            draft.describe(module.getDescriptor());
          } else {
            draft.describeVersion(type.getPackage().getImplementationVersion());
          }
          return draft;
        });
  }

  private static String location(Class<?> type) {
    Module module = type.getModule();
    if (module.isNamed()) {
      return module
          .getLayer()
          .configuration()
          .findModule(module.getName())
          .map(ResolvedModule::reference)
          .flatMap(reference -> reference.location())
          .map(ProviderDiscovery::readable)
          .orElse(module.getName());
    }
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? "the class path"
        : readable(URI.create(source.getLocation().toString()));
  }

  private static String readable(URI location) {
    return "file".equals(location.getScheme()) ? Path.of(location).toString() : location.toString();
  }
}
