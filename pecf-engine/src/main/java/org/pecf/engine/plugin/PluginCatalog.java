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
import java.util.regex.Pattern;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.TableWriter;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.evaluate.Metric;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.plugin.Choices;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.Provider;

/**
 * All providers, those of the program and those of plugins, and the factory of the things that they
 * offer.
 *
 * <p>A plugin is a jar, or a folder with a jar and its libraries, directly under a plugins folder.
 * Each is loaded in a module layer and class loader of its own, so that it may bring its own
 * version of any library; the SPI, Arrow and logging are shared. A plugin that cannot be used never
 * stops another: {@link #plugins()} tells what is wrong with it.
 *
 * <p>If several providers of a kind have the same id, the program's own is used, or else that of
 * the folder that comes first; {@link #plugins()} tells which ones are left out. If one folder has
 * several, none of them is used.
 *
 * <p>Everything that the catalog creates is guarded: any exception other than {@link PecfException}
 * that escapes a plugin becomes one that names the plugin.
 *
 * <p>Immutable once loaded. Load it once per process, since Java loads a native library for one
 * class loader only. Class loaders of module layers cannot be closed: on systems that lock open
 * files, plugins can only be replaced after the program has ended.
 */
public final class PluginCatalog {
  private static final Set<PluginReport.State> NOT_LOADED =
      EnumSet.of(PluginReport.State.BROKEN, PluginReport.State.UNTRUSTED);

  private final ProviderTable table;
  private final List<PluginFindings> allFindings;
  private final List<PluginReport> reports;

  private PluginCatalog(ProviderDiscovery discovery, List<PluginFindings> plugins) {
    this.table = discovery.table();
    this.allFindings = new ArrayList<>(discovery.builtIns());
    this.allFindings.addAll(plugins);
    this.reports = allFindings.stream().map(PluginFindings::report).toList();
  }

  /** Find the providers of the program: on its module path or its class path. */
  public static PluginCatalog builtIn() {
    return load(List.of());
  }

  /**
   * Find the providers of the program, and load the plugins of folders.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   */
  public static PluginCatalog load(List<Path> pluginFolders) {
    return load(pluginFolders, PluginTrust.inEverything());
  }

  /**
   * Find the providers of the program, and load the trusted plugins of folders.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   * @param trust the plugins that may be loaded, checked before any class of a plugin is
   */
  public static PluginCatalog load(List<Path> pluginFolders, PluginTrust trust) {
    return load(pluginFolders, ownLayer(), trust);
  }

  /** Return the layer of the engine, which is the parent of all plugins. */
  static ModuleLayer ownLayer() {
    ModuleLayer own = PluginCatalog.class.getModule().getLayer();
    return own == null ? ModuleLayer.boot() : own;
  }

  /**
   * Find the providers of a layer and of the class path, and load the plugins of folders.
   *
   * @param pluginFolders folders that hold plugins, or single plugin jars. Not modified.
   * @param parent the layer that holds the SPI and Arrow; its providers count as built in, and are
   *     trusted
   * @param trust the plugins that may be loaded
   */
  public static PluginCatalog load(
      List<Path> pluginFolders, ModuleLayer parent, PluginTrust trust) {
    PluginFolders folders = PluginFolders.scan(pluginFolders);
    ProviderDiscovery discovery = new ProviderDiscovery();
    discovery.searchBuiltIns(parent, PluginCatalog.class.getClassLoader());
    List<PluginFindings> plugins = new ArrayList<>();
    for (PluginFolders.Candidate candidate : folders.candidates()) {
      plugins.add(candidate.findings());
      layer(candidate, parent, trust)
          .ifPresent(layer -> discovery.searchPlugin(candidate.findings(), layer));
    }
    plugins.addAll(folders.setAside());
    return new PluginCatalog(discovery, plugins);
  }

  /** Load a plugin, unless it is not trusted; this runs none of its code. */
  private static Optional<ModuleLayer> layer(
      PluginFolders.Candidate candidate, ModuleLayer parent, PluginTrust trust) {
    Optional<PluginFolders.Candidate> admitted = trust.admit(candidate);
    if (admitted.isPresent()) {
      return PluginLayer.load(admitted.get(), parent);
    }
    // For its names only: they show what it might have offered.
    PluginModules.read(candidate, parent);
    return Optional.empty();
  }

  /**
   * Return a report on every plugin: those of the program first, then others in order of folder and
   * name, then files and folders beside them that are no plugins.
   */
  public List<PluginReport> plugins() {
    return reports;
  }

  /** Return the ids of a kind, in order. */
  public List<String> ids(ProviderKind<?> kind) {
    return table.ids(kind);
  }

  /** Return the providers of a kind, in order of id. */
  public <P extends Provider<?, ?>> List<P> providers(ProviderKind<P> kind) {
    return table.of(kind).stream().map(entry -> kind.cast(entry.provider())).toList();
  }

  /**
   * Return a provider.
   *
   * @throws PecfException with {@link ErrorCode#UNAVAILABLE} if there is none: it names the nearest
   *     and all known ids, and the plugins that may offer it but cannot be used
   */
  public <P extends Provider<?, ?>> P find(ProviderKind<P> kind, String id) {
    return kind.cast(entry(kind, id).provider());
  }

  /** Return the report on the plugin that a provider comes from. */
  public PluginReport origin(ProviderKind<?> kind, String id) {
    return reports.get(allFindings.indexOf(entry(kind, id).plugin()));
  }

  /**
   * Return the name of the maker of something, such as "weighting posterior (acme.jar)".
   *
   * @param created the thing. Not modified.
   * @param otherwise the name if no catalog created it
   */
  public static String nameOf(Object created, String otherwise) {
    return PluginGuard.of(created).map(PluginGuard::name).orElse(otherwise);
  }

  /**
   * Return the plugin that a thread belongs to, if that can be determined from the code that it
   * runs, its class or its context class loader.
   *
   * @param stack the frames of the thread, innermost first. Not modified.
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
      for (int k = 0; k < allFindings.size(); k++) {
        if (allFindings.get(k).loader().filter(own -> own == loader).isPresent()) {
          return Optional.of(reports.get(k));
        }
      }
    }
    return Optional.empty();
  }

  /** Return a choice with all its options spelt out, including defaults, as a run records it. */
  public ProviderChoice complete(ProviderKind<?> kind, ProviderChoice choice) {
    ProviderTable.Entry entry = entry(kind, choice.id());
    ProviderChoice own = choice.without(kind.engineOptions());
    Map<String, String> texts = new TreeMap<>(texts(entry, entry.provider(), own));
    choice.options().forEach(texts::putIfAbsent);
    texts.remove(ProviderChoice.FIRST_OPTION);
    return new ProviderChoice(choice.id(), texts);
  }

  /** Create the filter that a choice describes. */
  public BaseFilter filter(ProviderChoice choice) {
    return create(ProviderKind.FILTER, BaseFilter.class, choice);
  }

  /**
   * Return the way in which a filter fits rows that its models were not trained on.
   *
   * @param filter the id of the filter
   * @throws PecfException if there is no such filter, or it has no way of its own
   */
  public RowFitter rowFitter(String filter) {
    PluginGuard guard =
        table
            .find(ProviderKind.FILTER, filter)
            .orElseThrow(
                () ->
                    PecfException.unavailable(
                        "New users and items of this model are fitted by the plugin of filter '%s',"
                            + " so put it among the plugins. %s",
                        filter, unknown(ProviderKind.FILTER, filter).getMessage()))
            .guard();
    return find(ProviderKind.FILTER, filter)
        .rowFitter()
        .map(fitter -> guard.guard(RowFitter.class, fitter))
        .orElseThrow(
            () ->
                PecfException.pluginFault(
                    "%s trained a model that only it can fit new rows to, but does not offer to."
                        + " Tell its author.",
                    guard.name()));
  }

  /** Create the weighting scheme that a choice describes. */
  public WeightingScheme weighting(ProviderChoice choice) {
    return create(ProviderKind.WEIGHTING, WeightingScheme.class, choice);
  }

  /** Create the alpha strategy that a choice describes. */
  public AlphaStrategy alpha(ProviderChoice choice) {
    return create(ProviderKind.ALPHA, AlphaStrategy.class, choice);
  }

  /** Create the metric that a choice describes. */
  public Metric metric(ProviderChoice choice) {
    return create(ProviderKind.METRIC, Metric.class, choice);
  }

  /** Create the loader that a choice describes. */
  public RatingLoader loader(ProviderChoice choice) {
    return create(ProviderKind.LOADER, RatingLoader.class, choice);
  }

  /** Create the loader that a choice describes as a writer, if it also writes its format. */
  public Optional<TableWriter> writer(ProviderChoice choice) {
    Provider<?, ?> provider = find(ProviderKind.LOADER, choice.id());
    Object created = created(ProviderKind.LOADER, provider, choice);
    return created instanceof TableWriter
        ? Optional.of(
            entry(ProviderKind.LOADER, choice.id()).guard().guard(TableWriter.class, created))
        : Optional.empty();
  }

  /** Create the backend that a choice describes, not yet opened. */
  public Backend backend(ProviderChoice choice) {
    return new Backend(choice.id(), create(ProviderKind.BACKEND, ComputeBackend.class, choice));
  }

  private <P extends Provider<?, ? extends T>, T> T create(
      ProviderKind<P> kind, Class<T> type, ProviderChoice choice) {
    Provider<?, ?> provider = find(kind, choice.id());
    return entry(kind, choice.id()).guard().guard(type, created(kind, provider, choice));
  }

  private <O extends Record> Object created(
      ProviderKind<?> kind, Provider<O, ?> provider, ProviderChoice choice) {
    return provider.create(bind(kind, provider, choice));
  }

  private <O extends Record> O bind(
      ProviderKind<?> kind, Provider<O, ?> provider, ProviderChoice choice) {
    return bind(
        entry(kind, choice.id()).guard(), provider.options(), choice.without(kind.engineOptions()));
  }

  private static <O extends Record> O bind(
      PluginGuard guard, OptionSchema<O> schema, ProviderChoice choice) {
    Map<String, String> values = spelt(guard.owner(), schema, choice);
    return guard.call(() -> schema.bind(guard.owner(), values));
  }

  private static <O extends Record> Map<String, String> texts(
      ProviderTable.Entry entry, Provider<O, ?> provider, ProviderChoice choice) {
    OptionSchema<O> schema = provider.options();
    O bound = bind(entry.guard(), schema, choice);
    return entry.guard().call(() -> schema.texts(bound));
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

  private ProviderTable.Entry entry(ProviderKind<?> kind, String id) {
    return table.find(kind, id).orElseThrow(() -> unknown(kind, id));
  }

  private PecfException unknown(ProviderKind<?> kind, String id) {
    List<String> known = ids(kind);
    StringBuilder message = new StringBuilder("There is no " + kind + " '" + id + "'.");
    List<Diagnostic> reasons = reasons(kind, id);
    if (reasons.isEmpty()) {
      message.append(
          described(kind, id)
              .map(" Did you mean '%s'?"::formatted)
              .orElseGet(() -> Choices.suggestion(id, known)));
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

  /**
   * Return the one provider whose description has a word, such as another name for what it does.
   */
  private Optional<String> described(ProviderKind<?> kind, String word) {
    Pattern whole = Pattern.compile("(?i)\\b" + Pattern.quote(word) + "\\b");
    List<String> found =
        table.of(kind).stream()
            .filter(entry -> whole.matcher(entry.description().summary()).find())
            .map(ProviderTable.Entry::id)
            .toList();
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  private List<Diagnostic> reasons(ProviderKind<?> kind, String id) {
    List<Diagnostic> certain = table.refusals(kind, id);
    return certain.isEmpty()
        ? allFindings.stream()
            .map(findings -> findings.errorsThatMayConcern(id))
            .flatMap(Collection::stream)
            .toList()
        : certain;
  }
}
