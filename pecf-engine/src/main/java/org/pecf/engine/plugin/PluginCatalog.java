package org.pecf.engine.plugin;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Choices;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.Provider;

/**
 * Know all providers, those that come with the program and those of plugins, and create what they
 * offer.
 *
 * <p>A plugin is a jar, or a folder with a jar and its libraries, directly under a plugins folder.
 * Each is loaded in a module layer and class loader of its own, so two plugins may carry different
 * versions of a library; what the parent layer has (the SPI, Arrow, logging) they share. A plugin
 * that cannot be used never stops another: {@link #plugins()} says what is wrong with it.
 *
 * <p>What the catalog hands out is guarded: any exception other than {@link PecfException} that
 * escapes a plugin becomes one that names the plugin.
 *
 * <p>Immutable once loaded; load it once a process, since Java loads a native library for one class
 * loader only. Class loaders of module layers cannot be closed: on systems that lock open files,
 * plugins can be replaced when the program has ended.
 */
public final class PluginCatalog {
  private static final Set<PluginReport.State> NOT_LOADED =
      EnumSet.of(PluginReport.State.BROKEN, PluginReport.State.UNTRUSTED);

  private final Map<ProviderKind<?>, Map<String, ProviderDiscovery.Found>> offered;
  private final List<ProviderDiscovery.Refused> refused;
  private final List<PluginDraft> drafts;
  private final List<PluginReport> reports;

  PluginCatalog(ProviderDiscovery discovery, List<PluginDraft> plugins) {
    this.offered = discovery.offered();
    this.refused = discovery.refused();
    this.drafts = new ArrayList<>(discovery.builtIns());
    this.drafts.addAll(plugins);
    this.reports = drafts.stream().map(PluginDraft::report).toList();
  }

  /** Find what comes with the program: on its module path or its class path. */
  public static PluginCatalog builtIn() {
    return load(List.of());
  }

  /**
   * Find what comes with the program, and load the plugins of folders on top of it.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   */
  public static PluginCatalog load(List<Path> pluginFolders) {
    return load(pluginFolders, PluginTrust.inEverything());
  }

  /**
   * Find what comes with the program, and load the trusted plugins of folders on top of it.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   * @param trust which plugins may be loaded: asked before any class of a plugin is
   */
  public static PluginCatalog load(List<Path> pluginFolders, PluginTrust trust) {
    return load(pluginFolders, ownLayer(), trust);
  }

  /** Return the layer that the engine is in: the parent of all plugins. */
  static ModuleLayer ownLayer() {
    ModuleLayer own = PluginCatalog.class.getModule().getLayer();
    return own == null ? ModuleLayer.boot() : own;
  }

  /**
   * Find what a layer and the class path provide, and load the plugins of folders on top of it.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   * @param parent the layer that holds the SPI and Arrow; its providers count as built in, and are
   *     trusted
   * @param trust which plugins may be loaded
   */
  public static PluginCatalog load(
      List<Path> pluginFolders, ModuleLayer parent, PluginTrust trust) {
    return new PluginLoading(PluginFolders.scan(pluginFolders), parent, trust).catalog();
  }

  /**
   * Return what became of every plugin: what is built in first, then plugins in order of folder and
   * name, then what was found beside them and is none.
   */
  public List<PluginReport> plugins() {
    return reports;
  }

  /** Return the ids of a kind, in order. */
  public List<String> ids(ProviderKind<?> kind) {
    return List.copyOf(offered.get(kind).keySet());
  }

  /** Return the providers of a kind, in order of id. */
  public <P extends Provider<?>> List<P> providers(ProviderKind<P> kind) {
    return offered.get(kind).values().stream().map(found -> kind.cast(found.provider())).toList();
  }

  /**
   * Return a provider.
   *
   * @throws PecfException with {@link ErrorCode#UNAVAILABLE} if there is none: it names the nearest
   *     and all known ids, and tells of plugins that may offer it but cannot be used
   */
  public <P extends Provider<?>> P find(ProviderKind<P> kind, String id) {
    return kind.cast(found(kind, id).provider());
  }

  /** Return what became of the plugin that a provider comes from. */
  public PluginReport origin(ProviderKind<?> kind, String id) {
    return reports.get(drafts.indexOf(found(kind, id).plugin()));
  }

  /**
   * Return who made something that a catalog created, such as "weighting posterior (acme.jar)".
   *
   * @param otherwise returned if no catalog created it
   */
  public static String nameOf(Object created, String otherwise) {
    return PluginGuard.of(created).map(PluginGuard::name).orElse(otherwise);
  }

  /**
   * Return the plugin that a thread belongs to, as far as can be told: by the code that it runs, by
   * its class, or by the class loader that it was given.
   *
   * @param stack what it runs, innermost first. Not modified.
   */
  public Optional<PluginReport> owner(Thread thread, StackTraceElement... stack) {
    for (StackTraceElement element : stack) {
      for (PluginReport report : reports) {
        if (!report.builtIn()
            && element.getModuleName() != null
            && report.module().filter(element.getModuleName()::equals).isPresent()) {
          return Optional.of(report);
        }
      }
    }
    for (ClassLoader loader :
        Arrays.asList(thread.getClass().getClassLoader(), thread.getContextClassLoader())) {
      for (int k = 0; k < drafts.size(); k++) {
        if (drafts.get(k).loader().filter(own -> own == loader).isPresent()) {
          return Optional.of(reports.get(k));
        }
      }
    }
    return Optional.empty();
  }

  /** Return a choice with all its options spelt out, defaults included: what a run records. */
  public ProviderChoice complete(ProviderKind<?> kind, ProviderChoice choice) {
    ProviderDiscovery.Found found = found(kind, choice.id());
    return new ProviderChoice(choice.id(), texts(found, found.provider(), choice));
  }

  /** Create the filter that a choice describes. */
  public BaseFilter filter(ProviderChoice choice) {
    return filter(find(ProviderKind.FILTER, choice.id()), choice);
  }

  private <O extends Record> BaseFilter filter(
      BaseFilterProvider<O> provider, ProviderChoice choice) {
    return provider.create(bind(ProviderKind.FILTER, provider, choice));
  }

  /** Create the weighting scheme that a choice describes. */
  public WeightingScheme weighting(ProviderChoice choice) {
    return weighting(find(ProviderKind.WEIGHTING, choice.id()), choice);
  }

  private <O extends Record> WeightingScheme weighting(
      WeightingSchemeProvider<O> provider, ProviderChoice choice) {
    return provider.create(bind(ProviderKind.WEIGHTING, provider, choice));
  }

  /** Create the alpha strategy that a choice describes. */
  public AlphaStrategy alpha(ProviderChoice choice) {
    return alpha(find(ProviderKind.ALPHA, choice.id()), choice);
  }

  private <O extends Record> AlphaStrategy alpha(
      AlphaStrategyProvider<O> provider, ProviderChoice choice) {
    return provider.create(bind(ProviderKind.ALPHA, provider, choice));
  }

  /** Create the loader that a choice describes. */
  public RatingLoader loader(ProviderChoice choice) {
    return loader(find(ProviderKind.LOADER, choice.id()), choice);
  }

  private <O extends Record> RatingLoader loader(
      RatingLoaderProvider<O> provider, ProviderChoice choice) {
    return provider.create(bind(ProviderKind.LOADER, provider, choice));
  }

  /** Return the backend that a choice describes, not yet opened. */
  public Backend backend(ProviderChoice choice) {
    return backend(find(ProviderKind.BACKEND, choice.id()), choice);
  }

  private <O extends Record> Backend backend(
      ComputeBackendProvider<O> provider, ProviderChoice choice) {
    O options = bind(ProviderKind.BACKEND, provider, choice);
    return new Backend(
        choice.id(),
        provider::probe,
        provider::peakRates,
        resources -> provider.open(options, resources));
  }

  private <O extends Record> O bind(
      ProviderKind<?> kind, Provider<O> provider, ProviderChoice choice) {
    return bind(found(kind, choice.id()).guard(), provider.options(), choice);
  }

  private static <O extends Record> O bind(
      PluginGuard guard, OptionSchema<O> schema, ProviderChoice choice) {
    Map<String, String> values = spelt(guard.owner(), schema, choice);
    return guard.call(() -> schema.bind(guard.owner(), values));
  }

  private static <O extends Record> Map<String, String> texts(
      ProviderDiscovery.Found found, Provider<O> provider, ProviderChoice choice) {
    OptionSchema<O> schema = provider.options();
    O bound = bind(found.guard(), schema, choice);
    return found.guard().call(() -> schema.texts(bound));
  }

  /** Return the options of a choice with the first one under its own key. */
  private static Map<String, String> spelt(
      String owner, OptionSchema<?> schema, ProviderChoice choice) {
    Map<String, String> values = new TreeMap<>(choice.options());
    String first = values.remove(ProviderChoice.FIRST_OPTION);
    if (first == null) {
      return values;
    }
    if (schema.keys().isEmpty()) {
      throw PecfException.badOption(
          "%s takes no options. Write '%s' without ':%s'.", owner, choice.id(), first);
    }
    String key = schema.keys().get(0);
    if (values.putIfAbsent(key, first) != null) {
      throw PecfException.badOption(
          "%s: %s is set twice, to '%s' after the colon and to '%s' by name. Leave one of them"
              + " out.",
          owner, key, first, values.get(key));
    }
    return values;
  }

  private ProviderDiscovery.Found found(ProviderKind<?> kind, String id) {
    return Optional.ofNullable(offered.get(kind).get(id)).orElseThrow(() -> unknown(kind, id));
  }

  private PecfException unknown(ProviderKind<?> kind, String id) {
    List<String> known = ids(kind);
    StringBuilder message = new StringBuilder("There is no " + kind + " '" + id + "'.");
    List<Diagnostic> reasons = reasons(kind, id);
    if (reasons.isEmpty()) {
      message.append(Choices.suggestion(id, known));
    }
    message.append(
        known.isEmpty() ? " None is known." : " Known are: " + String.join(", ", known) + ".");
    reasons.forEach(reason -> message.append(' ').append(reason));
    List<String> broken =
        reports.stream()
            .filter(report -> NOT_LOADED.contains(report.state()))
            .map(PluginReport::location)
            .toList();
    if (reasons.isEmpty() && !broken.isEmpty()) {
      message.append(" Plugins that were not loaded: " + String.join(", ", broken) + ".");
    }
    return PecfException.unavailable("%s", message.toString());
  }

  private List<Diagnostic> reasons(ProviderKind<?> kind, String id) {
    List<Diagnostic> certain =
        refused.stream()
            .filter(refusal -> refusal.kind() == kind && refusal.id().equals(id))
            .map(ProviderDiscovery.Refused::reason)
            .distinct()
            .toList();
    return certain.isEmpty()
        ? drafts.stream()
            .map(draft -> draft.errorsThatMayConcern(id))
            .flatMap(Collection::stream)
            .toList()
        : certain;
  }
}
