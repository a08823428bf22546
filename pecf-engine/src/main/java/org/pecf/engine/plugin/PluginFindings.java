package org.pecf.engine.plugin;

import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The findings about one plugin, gathered while it is loaded. */
final class PluginFindings {
  private final String location;
  private final int precedence;
  private final Set<Diagnostic> diagnostics = new LinkedHashSet<>();
  private final List<PluginReport.Provided> provided = new ArrayList<>();
  private final Set<String> providerClasses = new TreeSet<>();
  private Optional<String> module = Optional.empty();
  private Optional<String> version = Optional.empty();
  private Optional<ClassLoader> loader = Optional.empty();
  private boolean ignored;
  private boolean untrusted;

  private PluginFindings(String location, int precedence) {
    this.location = location;
    this.precedence = precedence;
  }

  /**
   * Start the findings about a plugin in a folder.
   *
   * @param location its jar or folder
   * @param folder the position of the plugins folder among all of them, from 0
   */
  static PluginFindings inFolder(Path location, int folder) {
    return new PluginFindings(location.toString(), 1 + folder);
  }

  /** Start the findings about a plugin that comes with the program. */
  static PluginFindings builtIn(String location) {
    return new PluginFindings(location, 0);
  }

  /** Note that it is no plugin, or not needed. */
  void ignore() {
    ignored = true;
  }

  /** Note that it was left out for lack of trust. */
  void distrust(Diagnostic reason) {
    untrusted = true;
    add(reason);
  }

  void describe(ModuleDescriptor descriptor) {
    module = Optional.of(descriptor.name());
    version = descriptor.rawVersion();
  }

  void describeVersion(String text) {
    version = Optional.ofNullable(text);
  }

  void declare(Collection<String> classes) {
    providerClasses.addAll(classes);
  }

  void loadedBy(ClassLoader classLoader) {
    loader = Optional.of(classLoader);
  }

  void add(Diagnostic diagnostic) {
    diagnostics.add(diagnostic);
  }

  void add(PluginReport.Provided offer) {
    provided.add(offer);
  }

  String location() {
    return location;
  }

  /** Return the position of its source: of providers with the same id, the lowest is used. */
  int precedence() {
    return precedence;
  }

  Optional<ClassLoader> loader() {
    return loader;
  }

  /** Return the errors if the names of the plugin suggest that it may offer the given id. */
  List<Diagnostic> errorsThatMayConcern(String id) {
    String wanted = lettersAndDigits(id);
    List<String> names = new ArrayList<>(providerClasses);
    module.ifPresent(names::add);
    names.add(
        location.substring(Math.max(location.lastIndexOf('/'), location.lastIndexOf('\\')) + 1));
    boolean alike =
        !wanted.isEmpty()
            && names.stream().anyMatch(name -> lettersAndDigits(name).contains(wanted));
    return alike ? errors() : List.of();
  }

  private static String lettersAndDigits(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
  }

  List<Diagnostic> errors() {
    return diagnostics.stream().filter(Diagnostic::isError).toList();
  }

  PluginReport report() {
    return new PluginReport(
        location, precedence == 0, module, version, state(), List.copyOf(diagnostics), provided);
  }

  private PluginReport.State state() {
    if (ignored) {
      return PluginReport.State.IGNORED;
    }
    if (untrusted) {
      return PluginReport.State.UNTRUSTED;
    }
    if (errors().isEmpty()) {
      return PluginReport.State.LOADED;
    }
    return provided.isEmpty() ? PluginReport.State.BROKEN : PluginReport.State.PARTLY;
  }
}
