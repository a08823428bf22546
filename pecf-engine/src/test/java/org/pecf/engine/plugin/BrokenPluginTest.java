package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.pecf.testkit.fixture.AlphaPlugin.CONSTRUCTOR;
import static org.pecf.testkit.fixture.AlphaPlugin.DESCRIBE;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.engine.plugin.PluginReport.State;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/**
 * Every way a plugin can be bad: it is explained, and the plugin beside it (here always "good")
 * still works.
 */
class BrokenPluginTest {
  private static final String CREATE = "/* create */";
  private static final String NEWER_CALL = "Choices.announce();";

  @TempDir static Path shelf;
  private static Path good;

  @TempDir Path home;
  private Path plugins;

  @BeforeAll
  static void buildGoodPlugin() {
    good = AlphaPlugin.of("good").in(shelf);
  }

  @BeforeEach
  void putGoodPluginBeside() throws IOException {
    plugins = Files.createDirectory(home.resolve("plugins"));
    Files.copy(good, plugins.resolve("good.jar"));
  }

  /** Load the plugins, see that the good one works, and return the report of another. */
  private PluginReport reportOf(String name) {
    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));
    assertEquals(0.25, catalog.alpha(ProviderChoice.parse("good:0.25")).alpha(null, null));
    List<PluginReport> reports =
        catalog.plugins().stream()
            .filter(report -> Path.of(report.location()).endsWith(name))
            .toList();
    assertEquals(1, reports.size(), "one report for " + name + " in " + catalog.plugins());
    return reports.get(0);
  }

  private static void assertProblem(PluginReport report, State state, String... words) {
    String problems = report.diagnostics().toString();
    assertEquals(state, report.state(), problems);
    assertEquals(1, report.diagnostics().size(), problems);
    assertAll(
        Arrays.stream(words)
            .map(word -> () -> assertTrue(problems.contains(word), word + " in " + problems)));
    assertFalse(report.diagnostics().get(0).remedy().isBlank(), problems);
  }

  private String reasonForMissing(String id) {
    PecfException failure =
        assertThrows(
            PecfException.class,
            () -> PluginCatalog.load(List.of(plugins)).find(ProviderKind.ALPHA, id));
    assertEquals(ErrorCode.UNAVAILABLE, failure.code());
    return failure.getMessage();
  }

  @Test
  void aTruncatedJar() throws IOException {
    Path jar = AlphaPlugin.of("acme").in(plugins);
    byte[] bytes = Files.readAllBytes(jar);
    Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.jar is damaged or cut short");
    assertTrue(reasonForMissing("acme").contains("acme.jar is damaged"));
  }

  private static List<PluginReport> inFolders(PluginCatalog catalog) {
    return catalog.plugins().stream().filter(report -> !report.builtIn()).toList();
  }

  @Test
  void bytesDamagedAnywhereHarmNoOtherPlugin() throws IOException {
    byte[] bytes = Files.readAllBytes(AlphaPlugin.of("acme").in(shelf));
    SplittableRandom random = new SplittableRandom(1);
    for (int k = 0; k < 60; k++) {
      byte[] damaged =
          Arrays.copyOf(bytes, k % 2 == 0 ? bytes.length : random.nextInt(bytes.length));
      for (int flip = 0; flip < 3 && damaged.length > 0; flip++) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(plugins.resolve("damaged-" + k + ".jar"), damaged);
    }

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(0.25, catalog.alpha(ProviderChoice.parse("good:0.25")).alpha(null, null));
    assertEquals(61, inFolders(catalog).size());
    assertTrue(
        catalog.plugins().stream()
            .allMatch(report -> report.state() == State.LOADED || !report.diagnostics().isEmpty()));
  }

  @Test
  void aTextFileNamedLikeAJar() throws IOException {
    Files.writeString(plugins.resolve("acme.jar"), "<html>404 not found</html>");

    assertProblem(reportOf("acme.jar"), State.BROKEN, "is named like a jar but is not one");
  }

  @Test
  void anEmptyFileNamedLikeAJar() throws IOException {
    Files.createFile(plugins.resolve("acme.jar"));

    assertProblem(reportOf("acme.jar"), State.BROKEN, "is named like a jar but is not one");
  }

  @Test
  void aMissingLibrary() {
    Path library = library("helper", "module helper { exports helper; }").in(shelf);
    PluginJarBuilder.jar("acme.jar")
        .module(AlphaPlugin.module("acme", "requires helper;"))
        .source("acme.Alpha", AlphaPlugin.provider("acme"))
        .library(library)
        .in(plugins);

    assertProblem(
        reportOf("acme.jar"),
        State.BROKEN,
        "acme.jar requires module helper, which is not there",
        "put the jar of that module there");
    assertTrue(reasonForMissing("acme").contains("requires module helper"));
  }

  @Test
  void aMissingProviderClass() {
    AlphaPlugin.of("acme").without("acme.Alpha").in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha not found");
    assertTrue(reasonForMissing("acme").contains("acme.Alpha not found"));
  }

  @Test
  void aConstructorThatThrows() {
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(CONSTRUCTOR, "if (true) throw new IllegalStateException(\"no licence\");"))
        .in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha", "no licence");
  }

  @Test
  void aStaticInitialiserThatThrows() {
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(
                    "public Alpha()", "static int n = Integer.parseInt(\"x\"); public Alpha()"))
        .in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha", "\"x\"");
  }

  @Test
  void aDescriptionThatThrows() {
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(DESCRIBE, "if (true) throw new AssertionError(\"who am I\");"))
        .in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha", "who am I");
  }

  @Test
  void aDescriptionThatIsNull() {
    AlphaPlugin.of("acme", AlphaPlugin.provider("acme").replace(DESCRIBE, "if (true) return null;"))
        .in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha", "returns null from describe()");
  }

  @Test
  void anIdThatIsNone() {
    AlphaPlugin.of("acme", AlphaPlugin.provider("No Id")).in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.Alpha", "'No Id' must be lower-case");
  }

  @ParameterizedTest
  @CsvSource({"SpiVersion.CURRENT + 1, Update PECF", "SpiVersion.CURRENT - 1, newer release"})
  void anotherVersionOfTheSpi(String version, String remedy) {
    AlphaPlugin.of("box", AlphaPlugin.provider("acme").replace("SpiVersion.CURRENT", version))
        .in(plugins);

    assertProblem(reportOf("box.jar"), State.BROKEN, "alpha acme", "version", remedy);
    assertTrue(reasonForMissing("acme").contains("box.jar offers alpha acme for version"));
  }

  @Test
  void aPluginCompiledAgainstAnSpiWithMoreInIt() {
    Path newerSpi =
        PluginJarBuilder.jar("newer-spi.jar")
            .source(
                "org.pecf.api.plugin.Novelty",
                "public class Novelty { public static void announce() {} }")
            .in(shelf);
    PluginJarBuilder.jar("acme.jar")
        .source("acme.Alpha", AlphaPlugin.provider("acme").replace(DESCRIBE, "Novelty.announce();"))
        .service(AlphaStrategyProvider.class, "acme.Alpha")
        .library(newerSpi)
        .in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "Novelty", "another version of pecf-api");
  }

  /** Java names the class of a missing method with dots, and that of a missing class otherwise. */
  @Test
  void aPluginThatCallsAMethodWeDoNotHave() {
    for (String place : List.of(DESCRIBE, CREATE)) {
      PluginJarBuilder.jar("acme.jar")
          .source("acme.Alpha", AlphaPlugin.provider("acme").replace(place, NEWER_CALL))
          .service(AlphaStrategyProvider.class, "acme.Alpha")
          .library(newerApi("org.pecf.api.plugin.Choices"))
          .in(plugins);
      if (place.equals(DESCRIBE)) {
        assertProblem(
            reportOf("acme.jar"), State.BROKEN, "announce", "another version of pecf-api");
      } else {
        PluginCatalog catalog = PluginCatalog.load(List.of(plugins));
        PecfException failure =
            assertThrows(PecfException.class, () -> catalog.alpha(ProviderChoice.of("acme")));
        assertEquals(ErrorCode.PLUGIN_FAULT, failure.code());
        assertTrue(
            failure
                .getMessage()
                .matches(
                    "alpha acme \\(.*acme.jar\\) failed: java.lang.NoSuchMethodError.*\\. It was"
                        + " compiled against another version of pecf-api: .*"),
            failure.getMessage());
      }
    }
  }

  private static Path newerApi(String name) {
    return PluginJarBuilder.jar("newer-api.jar")
        .source(name, "public class Choices { public static void announce() {} }")
        .in(shelf);
  }

  @Test
  void aProviderClassOfANewerJava() {
    AlphaPlugin.of("acme").compiledFor(40, "acme.Alpha").in(plugins);

    assertProblem(
        reportOf("acme.jar"),
        State.BROKEN,
        "compiled for Java 40, but this is Java " + Runtime.version().feature());
  }

  @Test
  void aModuleDescriptorOfANewerJava() {
    AlphaPlugin.of("acme").compiledFor(40, "module-info").in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.jar was compiled for Java 40");
  }

  @Test
  void aPlainJarWhoseNameYieldsNoModuleName() {
    PluginJarBuilder.jar("9lives.jar")
        .source("acme.Alpha", AlphaPlugin.provider("acme"))
        .service(AlphaStrategyProvider.class, "acme.Alpha")
        .in(plugins);

    assertProblem(
        reportOf("9lives.jar"), State.BROKEN, "9lives", "Rename it", "Automatic-Module-Name");
  }

  @Test
  void aPlainJarThatNamesItsModuleInTheManifestMayBeCalledAnything() {
    PluginJarBuilder.jar("9lives.jar")
        .source("acme.Alpha", AlphaPlugin.provider("acme"))
        .service(AlphaStrategyProvider.class, "acme.Alpha")
        .manifest("Automatic-Module-Name", "acme.cats")
        .in(plugins);

    assertEquals(State.LOADED, reportOf("9lives.jar").state());
  }

  @Test
  void aJarThatProvidesNothing() {
    library("helper", "module helper { exports helper; }").in(plugins);

    assertProblem(reportOf("helper.jar"), State.BROKEN, "provides nothing that PECF knows");
  }

  @Test
  void twoPluginsWithTheSameIdAreBothRefused() {
    AlphaPlugin.of("first", AlphaPlugin.provider("acme")).in(plugins);
    AlphaPlugin.of("second", AlphaPlugin.provider("acme")).in(plugins);

    assertProblem(reportOf("first.jar"), State.BROKEN, "first.jar", "second.jar", "Remove");
    assertProblem(reportOf("second.jar"), State.BROKEN, "first.jar", "second.jar", "Remove");
    String reason = reasonForMissing("acme");
    assertTrue(reason.contains("second.jar offer the same alpha acme. Remove all but"), reason);
    assertEquals(reason.indexOf("offer the same"), reason.lastIndexOf("offer the same"));
  }

  @Test
  void whatIsBuiltInStaysIfAPluginHasTheSameId() {
    Path builtIn = AlphaPlugin.of("core", AlphaPlugin.provider("acme")).in(shelf.resolve("core"));
    ModuleLayer parent =
        PluginLayer.load(
                new PluginFolders.Candidate(PluginFindings.inFolder(builtIn, 0), List.of(builtIn)),
                ModuleLayer.boot())
            .orElseThrow();
    AlphaPlugin.of("rival", AlphaPlugin.provider("acme").replace("options.step()", "9"))
        .in(plugins);

    PluginCatalog catalog =
        PluginCatalog.load(List.of(plugins), parent, PluginTrust.inEverything());

    assertEquals(0.5, catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
    assertEquals(builtIn.toString(), catalog.origin(ProviderKind.ALPHA, "acme").location());
    PluginReport rival = catalog.plugins().get(catalog.plugins().size() - 1);
    assertProblem(rival, State.BROKEN, "core.jar", "rival.jar");
  }

  @Test
  void thePluginOfTheFirstFolderStaysIfOneOfALaterFolderHasTheSameId() {
    Path shipped = AlphaPlugin.of("shipped", AlphaPlugin.provider("acme")).in(plugins);
    Path named = shelf.resolve("named");
    Path rival =
        AlphaPlugin.of("rival", AlphaPlugin.provider("acme").replace("options.step()", "9"))
            .in(named);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins, named));

    assertEquals(0.5, catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
    PluginReport winner = catalog.origin(ProviderKind.ALPHA, "acme");
    assertEquals(shipped.toString(), winner.location());
    assertEquals(State.LOADED, winner.state());
    PluginReport loser = catalog.plugins().get(catalog.plugins().size() - 1);
    assertEquals(State.BROKEN, loser.state());
    assertEquals(
        rival
            + " is not used for alpha acme, which "
            + shipped
            + " offers already. Give the provider another id, or remove the plugin that you do not"
            + " want.",
        loser.diagnostics().get(0).toString());
  }

  @Test
  void twoRivalsOfOneFolderAreRefusedEvenIfALaterFolderHasAThird() {
    AlphaPlugin.of("first", AlphaPlugin.provider("acme")).in(plugins);
    AlphaPlugin.of("second", AlphaPlugin.provider("acme")).in(plugins);
    Path named = shelf.resolve("third");
    AlphaPlugin.of("third", AlphaPlugin.provider("acme")).in(named);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins, named));

    assertFalse(catalog.ids(ProviderKind.ALPHA).contains("acme"));
  }

  @Test
  void oneBadProviderLeavesTheOthersOfItsPlugin() {
    PluginJarBuilder.jar("mixed.jar")
        .module(
            """
            module mixed {
              requires org.pecf.api;
              provides org.pecf.api.ensemble.AlphaStrategyProvider with
                  bad.Alpha, gone.Alpha, fine.Alpha;
            }
            """)
        .source(
            "bad.Alpha",
            AlphaPlugin.provider("bad").replace(CONSTRUCTOR, "Integer.parseInt(\"x\");"))
        .source("gone.Alpha", AlphaPlugin.provider("gone"))
        .without("gone.Alpha")
        .source("fine.Alpha", AlphaPlugin.provider("fine"))
        .in(plugins);

    PluginReport report = reportOf("mixed.jar");

    assertEquals(State.PARTLY, report.state());
    assertEquals(2, report.diagnostics().size(), report.diagnostics().toString());
    assertEquals(
        List.of("fine"), report.provided().stream().map(PluginReport.Provided::id).toList());
    assertTrue(reasonForMissing("gone").contains("gone.Alpha not found"));
  }

  @Test
  void aPackageInTwoJarsOfAPlugin() {
    Path folder = plugins.resolve("acme");
    AlphaPlugin.of("acme").in(folder);
    for (String side : List.of("left", "right")) {
      PluginJarBuilder.jar(side + ".jar")
          .module("module " + side + " { exports shared; }")
          .source("shared.Thing", "public class Thing {}")
          .in(folder);
    }

    assertProblem(reportOf("acme"), State.BROKEN, "Package shared", "left.jar", "right.jar");
  }

  @Test
  void twoVersionsOfALibraryInOnePlugin() throws IOException {
    Path folder = plugins.resolve("acme");
    AlphaPlugin.of("acme").in(folder);
    Path helper = library("helper", "module helper { exports helper; }").in(folder);
    Files.copy(helper, folder.resolve("helper-2.jar"));

    assertProblem(
        reportOf("acme"), State.BROKEN, "helper.jar", "helper-2.jar", "both module helper");
  }

  @Test
  void aDamagedLibraryIsNamed() throws IOException {
    Path folder = plugins.resolve("acme");
    AlphaPlugin.of("acme").in(folder);
    Files.writeString(folder.resolve("library.jar"), "PK and nothing else");

    assertProblem(reportOf("acme"), State.BROKEN, "library.jar is damaged or cut short");
  }

  @Test
  void aPluginWithTheSpiShadedIntoItsJar() {
    AlphaPlugin.of("acme").entry("org/pecf/api/plugin/Provider.class", "a copy").in(plugins);

    assertProblem(reportOf("acme.jar"), State.BROKEN, "org.pecf.api.plugin", "'provided'");
  }

  @Test
  void aPluginWithItsOwnCopyOfTheSpiUsesOurs() {
    Path folder = plugins.resolve("acme");
    AlphaPlugin.of("acme").in(folder);
    library("org.pecf.api", "module org.pecf.api { exports org.pecf.api; }").in(folder);

    PluginReport report = reportOf("acme");

    assertProblem(report, State.LOADED, "org.pecf.api.jar is not used", "'provided'");
    assertEquals(Diagnostic.Level.WARNING, report.diagnostics().get(0).level());
    assertEquals(1, report.provided().size());
  }

  @Test
  void aPluginThatIsBuiltInAlreadyIsIgnored() {
    ModuleLayer parent =
        PluginLayer.load(
                new PluginFolders.Candidate(PluginFindings.inFolder(good, 0), List.of(good)),
                ModuleLayer.boot())
            .orElseThrow();

    PluginCatalog catalog =
        PluginCatalog.load(List.of(plugins), parent, PluginTrust.inEverything());

    assertTrue(catalog.origin(ProviderKind.ALPHA, "good").builtIn());
    List<PluginReport> reports = inFolders(catalog);
    assertEquals(1, reports.size());
    assertProblem(reports.get(0), State.IGNORED, "good.jar is not used", "has module good");
  }

  @Test
  void otherFilesAreIgnoredWithANote() throws IOException {
    Files.writeString(plugins.resolve("README.txt"), "Put plugins here.");

    assertProblem(
        reportOf("README.txt"), State.IGNORED, "README.txt is neither a jar nor a folder");
  }

  @Test
  void hiddenFilesAreIgnoredWithoutANote() throws IOException {
    Files.writeString(plugins.resolve(".DS_Store"), "");

    assertEquals(1, inFolders(PluginCatalog.load(List.of(plugins))).size());
  }

  @Test
  void anEmptyFolderIsIgnoredWithANote() throws IOException {
    Files.createDirectory(plugins.resolve("acme"));

    assertProblem(reportOf("acme"), State.IGNORED, "holds no jar");
  }

  @Test
  void aPluginsFolderThatIsNotThere() {
    Path missing = plugins.resolve("missing");

    PluginCatalog catalog = PluginCatalog.load(List.of(missing, plugins));

    assertTrue(catalog.ids(ProviderKind.ALPHA).contains("good"));
    List<PluginReport> reports = inFolders(catalog);
    assertEquals(2, reports.size(), "the good plugin and the missing folder");
    assertProblem(reports.get(1), State.BROKEN, "There is no " + missing);
  }

  @Test
  void anEmptyPluginsFolderIsFine(@TempDir Path empty) {
    assertEquals(List.of(), inFolders(PluginCatalog.load(List.of(empty))));
  }

  @Test
  void aFileThatMayNotBeRead() throws IOException {
    Path jar = AlphaPlugin.of("acme").in(plugins);
    assumeTrue(jar.toFile().setReadable(false), "this file system has no read permissions");
    assumeFalse(Files.isReadable(jar), "this user may read everything");

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.jar may not be read", "right to read");
  }

  @Test
  void aLinkToNowhere() throws IOException {
    link("acme.jar", plugins.resolve("nowhere.jar"));

    assertProblem(reportOf("acme.jar"), State.BROKEN, "link to a file that does not exist");
  }

  @Test
  void aLinkToItself() throws IOException {
    link("acme.jar", plugins.resolve("acme.jar"));

    assertProblem(reportOf("acme.jar"), State.BROKEN, "acme.jar cannot be read");
  }

  @Test
  void linksToJarsAndFoldersAreFollowed() throws IOException {
    Path elsewhere = home.resolve("elsewhere");
    AlphaPlugin.of("acme").in(elsewhere.resolve("acme"));
    link("one.jar", AlphaPlugin.of("beta").in(elsewhere));
    link("two", elsewhere.resolve("acme"));

    assertEquals(State.LOADED, reportOf("one.jar").state());
    assertEquals(State.LOADED, reportOf("two").state());
  }

  @Test
  void aLinkToAPluginThatIsThereAlreadyIsIgnored() throws IOException {
    link("zebra.jar", plugins.resolve("good.jar"));

    assertProblem(reportOf("zebra.jar"), State.IGNORED, "zebra.jar is the same as", "good.jar");
  }

  @Test
  void anUnrelatedBrokenPluginIsMentionedWhenAnIdIsUnknown() throws IOException {
    Files.writeString(plugins.resolve("wreck.jar"), "");

    String reason = reasonForMissing("goods");

    assertTrue(reason.contains("Did you mean 'good'?"), reason);
    assertTrue(reason.contains("were not loaded: " + plugins.resolve("wreck.jar")), reason);
  }

  private void link(String name, Path target) throws IOException {
    try {
      Files.createSymbolicLink(plugins.resolve(name), target);
    } catch (UnsupportedOperationException | AccessDeniedException e) {
      assumeTrue(false, "no symbolic links here: " + e);
    }
  }

  /** Start the jar of a library with one class, in a package of the library's name. */
  private static PluginJarBuilder library(String name, String module) {
    return PluginJarBuilder.jar(name + ".jar")
        .module(module)
        .source(name + ".Thing", "public class Thing {}");
  }
}
