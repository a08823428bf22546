package org.pecf.tools.plugin;

import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.platform.archive.ArchiveLimit;
import org.pecf.platform.file.DraftPlace;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.PluginReport;
import org.pecf.platform.plugin.PluginTrust;

/**
 * An installer of plugins: it puts them into a plugins folder and removes them again.
 *
 * <p>A plugin is copied under a hidden name, verified there, and only then gets its own name by a
 * rename: a program that starts meanwhile sees all of it or nothing. Then it is loaded, unless it
 * is not trusted. If that fails, or if another plugin has a provider of the same id, it is taken
 * back, and the plugin that it replaced returns.
 */
public final class PluginInstaller {
  private final Path plugins;
  private final PluginTrust trust;

  /**
   * Create an installer.
   *
   * @param plugins the plugins folder; created when something is installed
   * @param trust the plugins that are trusted
   */
  public PluginInstaller(Path plugins, PluginTrust trust) {
    this.plugins = plugins;
    this.trust = trust;
  }

  /**
   * Install a plugin from a jar, from a folder with a jar and its libraries, or from a zip of such
   * a folder.
   *
   * @param overwrite whether an installed plugin of the same name or module is replaced
   * @return the installed plugin, with the outcomes of its verification
   */
  public Installation install(Path source, boolean overwrite) {
    if (!Files.exists(source)) {
      throw PecfException.badData(
          "There is no %s. Name a jar, a folder with jars, a zip of such a folder, or coordinates"
              + " (group:artifact:version).",
          source);
    }
    return staged(
        staging -> {
          if (lowerCaseName(source).endsWith(".zip")) {
            return unzipped(source, staging);
          }
          Path copy = staging.resolve(source.toAbsolutePath().normalize().getFileName());
          Folders.copy(source, copy);
          return copy;
        },
        source.toString(),
        overwrite);
  }

  /**
   * Install a plugin from a Maven repository, with the libraries it needs and PECF does not have.
   *
   * @param repositories where to look besides the repositories of the user's settings. Not
   *     modified.
   * @param overwrite whether an installed plugin of the same name or module is replaced
   * @return the installed plugin, with the outcomes of its verification
   */
  public Installation install(
      MavenCoordinates coordinates, Maven maven, List<URI> repositories, boolean overwrite) {
    return staged(
        staging -> {
          Path folder = Files.createDirectory(staging.resolve(coordinates.artifact()));
          maven.copy(coordinates, repositories, folder);
          for (Path jar : Folders.visible(folder)) {
            if (isShared(jar)) {
              Files.delete(jar);
            }
          }
          return folder;
        },
        coordinates.toString(),
        overwrite);
  }

  /**
   * Remove a plugin.
   *
   * @param word the name of its file or folder, with or without {@code .jar}, its module, or the id
   *     of one of its providers; for an id, the installed plugins are loaded
   * @return the jar or folder that was removed
   */
  public Path remove(String word) {
    try {
      List<Path> meant =
          installed().stream()
              .filter(plugin -> plugin.isNamed(word))
              .map(InstalledPlugin::location)
              .toList();
      if (meant.isEmpty()) {
        meant = withProvider(word);
      }
      if (meant.size() > 1) {
        throw PecfException.badOption(
            "'%s' may mean %s. Name the file.",
            word,
            meant.stream()
                .map(place -> place.getFileName().toString())
                .collect(Collectors.joining(" or ")));
      }
      Path place = meant.get(0);
      discard(place);
      return place;
    } catch (IOException e) {
      throw PecfException.resources("'%s' cannot be removed from %s: %s.", word, plugins, e)
          .causedBy(e);
    }
  }

  /** Return the plugins with a provider of an id; at least one. */
  private List<Path> withProvider(String id) throws IOException {
    Map<Path, Set<String>> ids = new TreeMap<>();
    installed().forEach(plugin -> ids.put(plugin.location(), new HashSet<>()));
    for (PluginReport report : PluginCatalog.load(List.of(plugins), trust).plugins()) {
      Set<String> known = ids.getOrDefault(Path.of(report.location()), new HashSet<>());
      report.provided().forEach(provider -> known.add(provider.id()));
    }
    List<Path> found =
        ids.entrySet().stream()
            .filter(plugin -> plugin.getValue().contains(id))
            .map(Map.Entry::getKey)
            .toList();
    if (!found.isEmpty()) {
      return found;
    }
    List<String> names =
        ids.keySet().stream().map(place -> place.getFileName().toString()).toList();
    List<String> words =
        Stream.concat(names.stream(), ids.values().stream().flatMap(Set::stream)).toList();
    throw PecfException.badOption(
        "There is no plugin '%s' in %s.%s%s",
        id,
        plugins,
        Choices.suggestion(id, words),
        names.isEmpty() ? " It is empty." : " There are: " + String.join(", ", names) + ".");
  }

  private Installation staged(Staging source, String name, boolean overwrite) {
    try {
      Files.createDirectories(plugins);
      try (DraftPlace draft = DraftPlace.beside(plugins.resolve("plugin"))) {
        Path staging = Files.createDirectory(draft.path());
        Path staged = source.into(staging);
        VerifiedPlugin plugin = PluginVerifier.verify(staged, trust);
        refuse(name, plugin.errors());
        Path target = plugins.resolve(staged.getFileName());
        Replacement replacement = replace(staged, target, rivals(plugin, target, overwrite));
        PluginReport report = report(target);
        try {
          refuse(name, report.diagnostics().stream().filter(Diagnostic::isError).toList());
        } catch (PecfException e) {
          replacement.undo();
          throw e;
        }
        replacement.complete();
        return new Installation(target, report.provided(), plugin.diagnostics());
      }
    } catch (ArchiveLimit.TooLarge e) {
      throw PecfException.badData(
              "%s was not installed: %s. Get it again from its author.", name, e.getMessage())
          .causedBy(e);
    } catch (IOException e) {
      throw PecfException.resources("%s cannot be installed in %s: %s.", name, plugins, e)
          .causedBy(e);
    }
  }

  private static void refuse(String name, List<Diagnostic> errors) {
    if (!errors.isEmpty()) {
      throw PecfException.unavailable(
          "%s was not installed. %s",
          name, errors.stream().map(Diagnostic::toString).collect(Collectors.joining(" ")));
    }
  }

  /** Return the installed plugins that the new one replaces. */
  private List<Path> rivals(VerifiedPlugin plugin, Path target, boolean overwrite)
      throws IOException {
    List<Path> replaced = new ArrayList<>();
    for (InstalledPlugin installed : installed()) {
      if (installed.location().equals(target)
          || plugin.module().filter(installed.modules()::contains).isPresent()) {
        if (!overwrite) {
          throw PecfException.badOption(
              "%s is installed already. Allow it to be overwritten, or remove it first.",
              installed.location());
        }
        replaced.add(installed.location());
      }
    }
    return replaced;
  }

  /** Load the plugins folder and return the report on one plugin. */
  private PluginReport report(Path plugin) {
    return PluginCatalog.load(List.of(plugins), trust).plugins().stream()
        .filter(report -> report.location().equals(plugin.toString()))
        .findFirst()
        .orElseThrow();
  }

  private Replacement replace(Path staged, Path target, List<Path> replaced) throws IOException {
    Replacement replacement = new Replacement(target);
    try {
      for (Path old : replaced) {
        replacement.aside.put(old, Files.move(old, asideOf(old)));
      }
      Files.move(staged, target);
      return replacement;
    } catch (IOException e) {
      replacement.undo();
      throw e;
    }
  }

  /** A plugin that has taken the place of others, until it is settled which ones stay. */
  private static final class Replacement {
    private final Path added;
    private final Map<Path, Path> aside = new LinkedHashMap<>();

    Replacement(Path added) {
      this.added = added;
    }

    /** Delete the others. */
    void complete() throws IOException {
      for (Path old : aside.values()) {
        DraftPlace.delete(old);
      }
    }

    /** Delete the new plugin and put the others back. */
    void undo() throws IOException {
      DraftPlace.delete(added);
      for (Map.Entry<Path, Path> old : aside.entrySet()) {
        Files.move(old.getValue(), old.getKey());
      }
    }
  }

  private void discard(Path place) throws IOException {
    DraftPlace.delete(Files.move(place, asideOf(place)));
  }

  /** Return a hidden place, which a catalog ignores. */
  private Path asideOf(Path place) {
    return plugins.resolve(".removed-" + System.nanoTime() + "-" + place.getFileName());
  }

  private List<InstalledPlugin> installed() throws IOException {
    if (!Files.isDirectory(plugins)) {
      return List.of();
    }
    return Folders.visible(plugins).stream()
        .filter(entry -> Files.isDirectory(entry) || lowerCaseName(entry).endsWith(".jar"))
        .map(InstalledPlugin::at)
        .toList();
  }

  /** Unpack a zip of one folder, or of the contents of a folder that is named like the zip. */
  private static Path unzipped(Path zip, Path staging) throws IOException {
    String name = zip.getFileName().toString();
    Path folder = Files.createDirectory(staging.resolve(name.substring(0, name.length() - 4)));
    Folders.unpack(zip, folder);
    List<Path> entries = Folders.visible(folder);
    if (entries.size() != 1 || !Files.isDirectory(entries.get(0))) {
      return folder;
    }
    Path inner = Files.createDirectory(staging.resolve(".inner"));
    return Files.move(entries.get(0), inner.resolve(entries.get(0).getFileName()));
  }

  private static boolean isShared(Path jar) {
    ModuleLayer own = PluginInstaller.class.getModule().getLayer();
    ModuleLayer layer = own == null ? ModuleLayer.boot() : own;
    try {
      return ModuleFinder.of(jar).findAll().stream()
          .anyMatch(module -> layer.findModule(module.descriptor().name()).isPresent());
    } catch (FindException e) {
      // The verification reports it.
      return false;
    }
  }

  private static String lowerCaseName(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT);
  }

  /** A way to put a plugin into a staging folder. */
  @FunctionalInterface
  private interface Staging {
    Path into(Path staging) throws IOException;
  }
}
