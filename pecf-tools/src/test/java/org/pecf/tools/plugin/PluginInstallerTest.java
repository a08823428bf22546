package org.pecf.tools.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.PluginTrust;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** Putting plugins into a folder and taking them out. */
class PluginInstallerTest {
  @TempDir static Path shelf;
  private static Path acme;
  private static Path pack;

  @TempDir Path home;
  private Path plugins;
  private PluginInstaller installer;

  @BeforeAll
  static void buildPlugins() {
    acme = AlphaPlugin.of("acme").version("1.0").in(shelf);
    pack = shelf.resolve("pack");
    Path library =
        PluginJarBuilder.jar("tools.jar")
            .module("module tools { exports tools; }")
            .source("tools.Tool", "public class Tool { public static double step() { return 1; } }")
            .in(pack);
    PluginJarBuilder.jar("pack.jar")
        .module(AlphaPlugin.module("pack", "requires tools;"))
        .source(
            "pack.Alpha",
            AlphaPlugin.provider("packed").replace(AlphaPlugin.STEP, "tools.Tool.step()"))
        .library(library)
        .in(pack);
  }

  @BeforeEach
  void createInstaller() {
    plugins = home.resolve("plugins");
    installer = new PluginInstaller(plugins, PluginTrust.inEverything());
  }

  @AfterEach
  void nothingHiddenIsLeftBehind() throws IOException {
    assertTrue(entries().stream().noneMatch(name -> name.startsWith(".")), entries().toString());
  }

  private List<String> entries() throws IOException {
    if (Files.notExists(plugins)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(plugins)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private double alpha(String id) {
    return PluginCatalog.load(List.of(plugins)).alpha(ProviderChoice.of(id)).alpha(null, null);
  }

  private static PecfException failure(ErrorCode code, Runnable action) {
    PecfException failure = assertThrows(PecfException.class, action::run);
    assertEquals(code, failure.code(), failure.getMessage());
    return failure;
  }

  @Test
  void aJarIsUsableOnceInstalledAndGoneOnceRemoved() throws IOException {
    Installation installed = installer.install(acme, false);

    assertEquals(plugins.resolve("acme.jar"), installed.location());
    assertEquals(List.of("acme.jar"), entries());
    assertEquals(0.5, alpha("acme"));
    assertArrayEquals(Files.readAllBytes(acme), Files.readAllBytes(installed.location()));

    assertEquals(plugins.resolve("acme.jar"), installer.remove("acme"));
    assertEquals(List.of(), entries());
    assertTrue(Files.exists(acme), "what it was installed from stays");
  }

  @Test
  void aFolderIsInstalledWithItsLibraries() throws IOException {
    installer.install(pack, false);

    assertEquals(List.of("pack"), entries());
    assertEquals(1, alpha("packed"));
  }

  @Test
  void aZipOfAFolderIsInstalledUnderTheFoldersName() throws IOException {
    Path zip = home.resolve("pack-1.0-plugin.zip");
    zip(
        zip,
        "bundle/pack.jar",
        pack.resolve("pack.jar"),
        "bundle/tools.jar",
        pack.resolve("tools.jar"));

    assertEquals(plugins.resolve("bundle"), installer.install(zip, false).location());
    assertEquals(1, alpha("packed"));
  }

  @Test
  void aZipOfJarsIsInstalledUnderItsOwnName() throws IOException {
    Path zip = home.resolve("pack.zip");
    zip(zip, "pack.jar", pack.resolve("pack.jar"), "tools.jar", pack.resolve("tools.jar"));

    assertEquals(plugins.resolve("pack"), installer.install(zip, false).location());
    assertEquals(1, alpha("packed"));
  }

  @Test
  void aZipThatLeavesItsFolderIsRefused() throws IOException {
    Path zip = home.resolve("evil.zip");
    zip(zip, "../../escaped.jar", acme, "acme.jar", acme);

    PecfException failure = failure(ErrorCode.RESOURCES, () -> installer.install(zip, false));

    assertTrue(failure.getMessage().contains("outside its folder"), failure.getMessage());
    assertTrue(Files.notExists(home.resolve("escaped.jar")));
    assertEquals(List.of(), entries());
  }

  @Test
  void whatDoesNotPassIsNotInstalled() throws IOException {
    Path bad = AlphaPlugin.of("bad").compiledAgainst("org.pecf.api", "9+8.0").in(home);

    PecfException failure = failure(ErrorCode.UNAVAILABLE, () -> installer.install(bad, false));

    assertTrue(failure.getMessage().startsWith(bad + " was not installed."), failure.getMessage());
    assertTrue(failure.getMessage().contains("compiled against version 9"), failure.getMessage());
    assertEquals(List.of(), entries());
  }

  @Test
  void nothingIsOverwrittenUnasked() throws IOException {
    installer.install(acme, false);
    Path better = better("acme.jar");

    PecfException failure = failure(ErrorCode.BAD_OPTION, () -> installer.install(better, false));

    assertTrue(failure.getMessage().contains("acme.jar is installed already."));
    assertEquals(0.5, alpha("acme"));
    installer.install(better, true);
    assertEquals(2, alpha("acme"));
  }

  @Test
  void anotherVersionUnderAnotherFileNameReplacesTheFirst() throws IOException {
    installer.install(acme, false);
    Path better = better("acme-2.0.jar");

    failure(ErrorCode.BAD_OPTION, () -> installer.install(better, false));
    installer.install(better, true);

    assertEquals(List.of("acme-2.0.jar"), entries());
    assertEquals(2, alpha("acme"));
  }

  private Path better(String fileName) {
    return PluginJarBuilder.jar(fileName)
        .module(AlphaPlugin.module("acme", ""))
        .source("acme.Alpha", AlphaPlugin.provider("acme").replace(AlphaPlugin.STEP, "2"))
        .in(home);
  }

  @Test
  void anIdThatAnotherPluginOffersIsRefusedEvenWithOverwrite() throws IOException {
    installer.install(acme, false);
    Path rival = AlphaPlugin.of("rival", AlphaPlugin.provider("acme")).in(home);

    PecfException failure = failure(ErrorCode.UNAVAILABLE, () -> installer.install(rival, true));

    assertTrue(failure.getMessage().contains("offer the same alpha"), failure.getMessage());
    assertTrue(failure.getMessage().contains("acme.jar"), failure.getMessage());
    assertEquals(0.5, alpha("acme"));
    assertEquals(List.of("acme.jar"), entries());
  }

  @Test
  void anIdThatIsBuiltInIsRefused() throws IOException {
    Path rival = AlphaPlugin.of("rival", AlphaPlugin.provider("uniform")).in(home);

    PecfException failure = failure(ErrorCode.UNAVAILABLE, () -> installer.install(rival, true));

    assertTrue(failure.getMessage().contains("is not used for alpha"), failure.getMessage());
    assertEquals(List.of(), entries());
  }

  @Test
  void aPluginThatCannotBeLoadedIsTakenBackAndTheReplacedOneReturns() throws IOException {
    installer.install(acme, false);
    Path broken =
        AlphaPlugin.of(
                "acme",
                AlphaPlugin.provider("acme")
                    .replace(AlphaPlugin.CONSTRUCTOR, "if (true) throw new RuntimeException();"))
            .in(home);

    PecfException failure = failure(ErrorCode.UNAVAILABLE, () -> installer.install(broken, true));

    assertTrue(failure.getMessage().contains("was not installed."), failure.getMessage());
    assertEquals(List.of("acme.jar"), entries());
    assertEquals(0.5, alpha("acme"));
  }

  @Test
  void aSourceThatIsNotThere() {
    PecfException failure =
        failure(ErrorCode.BAD_DATA, () -> installer.install(home.resolve("gone.jar"), false));

    assertTrue(failure.getMessage().contains("There is no " + home.resolve("gone.jar")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pack", "packed"})
  void aFolderIsRemovedByNameOrId(String word) throws IOException {
    installer.install(pack, false);
    installer.install(acme, false);

    installer.remove(word);

    assertEquals(List.of("acme.jar"), entries());
  }

  @Test
  void aBrokenPluginIsRemovedByItsFileName() throws IOException {
    Files.createDirectories(plugins);
    Files.writeString(plugins.resolve("wreck.jar"), "");

    installer.remove("wreck");

    assertEquals(List.of(), entries());
  }

  @Test
  void removingALinkLeavesWhatItLeadsTo() throws IOException {
    Files.createDirectories(plugins);
    Path real = home.resolve("elsewhere");
    Folders.copy(pack, real);
    Files.createSymbolicLink(plugins.resolve("linked"), real);

    installer.remove("linked");

    assertEquals(List.of(), entries());
    assertTrue(Files.exists(real.resolve("pack.jar")));
  }

  @Test
  void anUnknownNameIsExplained() {
    installer.install(acme, false);

    PecfException failure = failure(ErrorCode.BAD_OPTION, () -> installer.remove("amce"));

    assertEquals(
        "There is no plugin 'amce' in " + plugins + ". Did you mean 'acme'? There are: acme.jar.",
        failure.getMessage());
  }

  @Test
  void aNameWithTwoMeaningsIsNotGuessed() throws IOException {
    installer.install(acme, false);
    Files.copy(acme, plugins.resolve("copy.jar"));

    PecfException failure = failure(ErrorCode.BAD_OPTION, () -> installer.remove("acme"));

    assertEquals("'acme' may mean acme.jar or copy.jar. Name the file.", failure.getMessage());
    assertEquals(List.of("acme.jar", "copy.jar"), entries());
    installer.remove("acme.jar");
    assertEquals(List.of("copy.jar"), entries());
  }

  private static void zip(Path zip, Object... namesAndFiles) throws IOException {
    try (OutputStream out = Files.newOutputStream(zip);
        ZipOutputStream packed = new ZipOutputStream(out)) {
      for (int k = 0; k < namesAndFiles.length; k += 2) {
        packed.putNextEntry(new ZipEntry((String) namesAndFiles[k]));
        Files.copy((Path) namesAndFiles[k + 1], packed);
      }
    }
  }

  /** A small file that unpacks to a lot would fill the disk, or the heap. */
  @ParameterizedTest
  @ValueSource(strings = {"bomb.zip", "bomb.jar"})
  void archivesThatUnpackToFarTooMuchAreRefused(String name) throws IOException {
    Path bomb = home.resolve(name);
    try (OutputStream file = Files.newOutputStream(bomb);
        ZipOutputStream zip = new ZipOutputStream(file)) {
      byte[] zeros = new byte[1 << 20];
      for (int k = 0; k < 5; k++) {
        zip.putNextEntry(new ZipEntry("bomb/Zeros" + k + ".class"));
        for (int megabytes = 0; megabytes < 20; megabytes++) {
          zip.write(zeros);
        }
      }
    }
    PecfException refused = assertThrows(PecfException.class, () -> installer.install(bomb, false));
    assertTrue(
        refused
            .getMessage()
            .contains(name + " unpacks to more than 100 times its size, as no plugin does."),
        refused.getMessage());
    assertEquals(List.of(), entries());
  }
}
