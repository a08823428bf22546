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

/** Gather what becomes known about a plugin while it is loaded. */
final class PluginDraft {
  private final String location;
  private final boolean builtIn;
  private final Set<Diagnostic> problems = new LinkedHashSet<>();
  private final List<PluginReport.Provided> provided = new ArrayList<>();
  private final Set<String> providerClasses = new TreeSet<>();
  private Optional<String> module = Optional.empty();
  private Optional<String> version = Optional.empty();
  private Optional<ClassLoader> loader = Optional.empty();
  private boolean ignored;
  private boolean untrusted;

  private PluginDraft(String location, boolean builtIn) {
    this.location = location;
    this.builtIn = builtIn;
  }

  static PluginDraft inFolder(Path location) {
    return new PluginDraft(location.toString(), false);
  }

  static PluginDraft builtIn(String location) {
    return new PluginDraft(location, true);
  }

  /** Set something in a plugins folder aside, saying why. */
  static PluginDraft ignored(Path location, String message, String remedy) {
    PluginDraft draft = inFolder(location);
    draft.add(Diagnostic.warning(message, remedy));
    draft.ignore();
    return draft;
  }

  void ignore() {
    ignored = true;
  }

  /** Note that it was left out, and why. */
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

  void add(Diagnostic problem) {
    problems.add(problem);
  }

  void add(PluginReport.Provided offer) {
    provided.add(offer);
  }

  String location() {
    return location;
  }

  boolean isBuiltIn() {
    return builtIn;
  }

  Optional<ClassLoader> loader() {
    return loader;
  }

  /** Return the errors, but only if the plugin's names suggest that it may offer the given id. */
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
    return problems.stream().filter(Diagnostic::isError).toList();
  }

  PluginReport report() {
    return new PluginReport(
        location, builtIn, module, version, state(), List.copyOf(problems), provided);
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
