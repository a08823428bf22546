package org.pecf.tools.plugin;

import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.archive.ArchiveLimit;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginTrust;

/**
 * Put plugins into a plugins folder and take them out again.
 *
 * <p>A plugin is copied under a hidden name, verified there, and only then gets its own name by a
 * rename: a program that starts meanwhile sees all of it or nothing.
 */
public final class PluginInstaller {
  private final Path plugins;
  private final PluginTrust trust;

  /**
   * Create an installer.
   *
   * @param plugins the plugins folder; created when something is installed
   * @param trust what the verification reports on
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
   * @return what the verification found, with the place it was installed in
   */
  public Verification install(Path source, boolean overwrite) {
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
   * @return what the verification found, with the place it was installed in
   */
  public Verification install(
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
   *     of something it offers
   * @return what was removed
   */
  public Path remove(String word) {
    try {
      List<PluginNames> installed = installed();
      List<PluginNames> meant =
          installed.stream().filter(plugin -> plugin.isMeantBy(word)).toList();
      if (meant.size() != 1) {
        throw meant.isEmpty() ? unknown(word, installed) : ambiguous(word, meant);
      }
      Path place = meant.get(0).location();
      discard(place);
      return place;
    } catch (IOException e) {
      throw PecfException.resources("'%s' cannot be removed from %s: %s", word, plugins, e)
          .causedBy(e);
    }
  }

  private Verification staged(Staging source, String name, boolean overwrite) {
    try {
      Files.createDirectories(plugins);
      Path staging = Files.createTempDirectory(plugins, ".installing-");
      try {
        Path staged = source.into(staging);
        Verification verification = PluginVerifier.verify(staged, trust);
        if (!verification.passed()) {
          throw PecfException.unavailable(
              "%s was not installed. %s",
              name,
              verification.problems().stream()
                  .map(Diagnostic::toString)
                  .collect(Collectors.joining(" ")));
        }
        Path target = plugins.resolve(staged.getFileName());
        replace(staged, target, rivals(verification, target, overwrite));
        return new Verification(
            target,
            verification.module(),
            verification.offers(),
            verification.digest(),
            verification.diagnostics());
      } finally {
        Folders.delete(staging);
      }
    } catch (ArchiveLimit.TooLarge e) {
      throw PecfException.badData(
              "%s was not installed: %s. Get it again from its author.", name, e.getMessage())
          .causedBy(e);
    } catch (IOException e) {
      throw PecfException.resources("%s cannot be installed in %s: %s", name, plugins, e)
          .causedBy(e);
    }
  }

  /** Return the installed plugins that the new one replaces. */
  private List<Path> rivals(Verification plugin, Path target, boolean overwrite)
      throws IOException {
    List<Path> replaced = new ArrayList<>();
    Set<Offer> offers = new HashSet<>(plugin.offers());
    refuseBuiltIn(offers);
    for (PluginNames installed : installed()) {
      boolean same =
          installed.location().equals(target)
              || plugin.module().filter(installed.modules()::contains).isPresent();
      if (same && !overwrite) {
        throw PecfException.badOption(
            "%s is installed already. Give --overwrite to replace it by %s.",
            installed.location(), target.getFileName());
      }
      if (same) {
        replaced.add(installed.location());
      } else if (installed.offers().stream().anyMatch(offers::contains)) {
        offers.retainAll(installed.offers());
        throw PecfException.badOption(
            "%s is offered by %s already, and of two neither would be used. Remove that first:"
                + " pecf-run plugins remove %s.",
            offers.iterator().next(), installed.location(), installed.fileName());
      }
    }
    return replaced;
  }

  private static void refuseBuiltIn(Set<Offer> offers) {
    PluginCatalog builtIn = PluginCatalog.builtIn();
    for (Offer offer : offers) {
      if (builtIn.ids(offer.kind()).contains(offer.id())) {
        throw PecfException.badOption(
            "%s is built into PECF, so the plugin's would not be used. Ask its author to choose"
                + " another id.",
            offer);
      }
    }
  }

  private void replace(Path staged, Path target, List<Path> replaced) throws IOException {
    List<Path> aside = new ArrayList<>();
    try {
      for (Path old : replaced) {
        aside.add(Files.move(old, asideOf(old)));
      }
      Files.move(staged, target);
    } catch (IOException e) {
      for (int k = 0; k < aside.size(); k++) {
        Files.move(aside.get(k), replaced.get(k));
      }
      throw e;
    }
    for (Path old : aside) {
      Folders.delete(old);
    }
  }

  private void discard(Path place) throws IOException {
    Folders.delete(Files.move(place, asideOf(place)));
  }

  /** Return a hidden place of which a catalog takes no notice. */
  private Path asideOf(Path place) {
    return plugins.resolve(".removed-" + System.nanoTime() + "-" + place.getFileName());
  }

  private List<PluginNames> installed() throws IOException {
    if (!Files.isDirectory(plugins)) {
      return List.of();
    }
    return Folders.visible(plugins).stream()
        .filter(entry -> Files.isDirectory(entry) || lowerCaseName(entry).endsWith(".jar"))
        .map(PluginNames::of)
        .toList();
  }

  /** A zip holds one folder, or else its entries are put into a folder of the zip's name. */
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
      // The verification says what is wrong with it.
      return false;
    }
  }

  private PecfException unknown(String word, List<PluginNames> installed) {
    List<String> names = installed.stream().map(PluginNames::fileName).toList();
    List<String> known =
        Stream.concat(
                names.stream(),
                installed.stream().flatMap(one -> one.offers().stream()).map(Offer::id))
            .toList();
    return PecfException.badOption(
        "There is no plugin '%s' in %s.%s%s",
        word,
        plugins,
        Choices.suggestion(word, known),
        (names.isEmpty() ? " It is empty." : " There are: " + String.join(", ", names) + "."));
  }

  private static PecfException ambiguous(String word, List<PluginNames> meant) {
    return PecfException.badOption(
        "'%s' may mean %s. Name the file.",
        word, meant.stream().map(PluginNames::fileName).collect(Collectors.joining(" or ")));
  }

  private static String lowerCaseName(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT);
  }

  /** Put a plugin into a staging folder and return where. */
  @FunctionalInterface
  private interface Staging {
    Path into(Path staging) throws IOException;
  }
}
