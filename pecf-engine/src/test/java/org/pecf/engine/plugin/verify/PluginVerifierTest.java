package org.pecf.engine.plugin.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.testkit.fixture.AlphaPlugin.CONSTRUCTOR;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.engine.archive.Digest;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.Diagnostic.Level;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** What can be found out about plugins without running them. */
class PluginVerifierTest {
  @TempDir Path folder;

  private static PluginJarBuilder proper(String provider) {
    return AlphaPlugin.of("acme", provider).service(AlphaStrategyProvider.class, "acme.Alpha");
  }

  private static PluginJarBuilder proper() {
    return proper(AlphaPlugin.provider("acme"));
  }

  private static List<Diagnostic> verify(Path plugin) {
    return PluginVerifier.verify(plugin, PluginTrust.inEverything());
  }

  private static List<Diagnostic> errors(List<Diagnostic> verification) {
    return verification.stream().filter(one -> one.level() == Level.ERROR).toList();
  }

  private static void assertFound(
      List<Diagnostic> verification, Level level, String check, String words) {
    assertTrue(
        verification.stream()
            .anyMatch(
                diagnostic ->
                    diagnostic.level() == level
                        && diagnostic.subject().equals(check)
                        && diagnostic.message().contains(words)
                        && diagnostic.remedy().isBlank() == (level == Level.OK)),
        () -> level + " " + check + " '" + words + "' in " + verification);
  }

  private static void assertOnlyProblem(List<Diagnostic> verification, String check, String words) {
    assertEquals(1, errors(verification).size(), verification.toString());
    assertFound(verification, Level.ERROR, check, words);
  }

  @Test
  void aProperPluginPasses() throws IOException {
    Path jar = proper().version("1.2").in(folder);

    List<Diagnostic> verification = verify(jar);

    assertEquals(List.of(), errors(verification));
    assertEquals(
        List.of(
            "OK module: acme.jar is module acme@1.2",
            "OK packages: no package is split, and every required module is there",
            "OK services: acme.jar provides acme.Alpha",
            "OK SPI version: acme.jar was compiled against version " + SpiVersion.CURRENT,
            "OK exports: acme.jar exports nothing",
            "OK pecf-api: the plugin brings no copy of PECF's own classes",
            "OK Java release: the plugin runs on Java "
                + Runtime.version().feature()
                + " and later",
            "OK native code: the plugin has none",
            "OK digest: SHA-256 " + Digest.of(jar)),
        verification.stream()
            .map(one -> one.level() + " " + one.subject() + ": " + one.message())
            .toList());
  }

  @Test
  void noCodeOfThePluginRuns() {
    Path jar =
        proper(
                AlphaPlugin.provider("acme")
                    .replace(
                        "public Alpha()",
                        "static { System.setProperty(\"pecf.test.ran\", \"yes\"); }"
                            + " public Alpha()"))
            .in(folder);

    assertEquals(List.of(), errors(verify(jar)));

    assertEquals(null, System.getProperty("pecf.test.ran"));
  }

  @Test
  void trustIsMentionedIfThereIsAList() throws IOException {
    Path jar = proper().in(folder);
    Path list = folder.resolve("trusted-plugins");

    Files.writeString(list, Digest.of(jar));
    assertFound(
        PluginVerifier.verify(jar, PluginTrust.read(list)), Level.OK, "trust", "trusted by");
    Files.writeString(list, "strict");
    assertFound(
        PluginVerifier.verify(jar, PluginTrust.read(list)),
        Level.WARNING,
        "trust",
        "will not be loaded");
  }

  @ParameterizedTest
  @CsvSource({
    "0, newer release",
    "2, Update PECF",
    "7, Update PECF",
    "200, Update PECF",
    "40000, Update PECF"
  })
  void anotherVersionOfTheSpi(int version, String remedy) {
    List<Diagnostic> verification =
        verify(proper().compiledAgainst("org.pecf.api", version + "+0.1.0").in(folder));

    assertOnlyProblem(
        verification, "SPI version", "compiled against version " + version + " of the SPI");
    assertTrue(errors(verification).get(0).remedy().contains(remedy));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1.0", "+1", "99999999999+1", "one"})
  void aVersionThatIsNotOfTheSpiBecomesKnownLater(String version) {
    List<Diagnostic> verification =
        verify(proper().compiledAgainst("org.pecf.api", version).in(folder));

    assertFound(verification, Level.WARNING, "SPI version", "acme.jar does not record");
    assertEquals(List.of(), errors(verification));
  }

  @Test
  void servicesThatContradictTheModule() {
    Path jar = AlphaPlugin.of("acme").service(AlphaStrategyProvider.class, "acme.Beta").in(folder);

    assertOnlyProblem(
        verify(jar), "services", "module-info provides acme.Alpha, META-INF/services/");
  }

  @Test
  void missingServicesAreWorthANote() {
    List<Diagnostic> verification = verify(AlphaPlugin.of("acme").in(folder));

    assertFound(verification, Level.WARNING, "services", "on a class path it provides nothing");
    assertEquals(List.of(), errors(verification));
  }

  @Test
  void aProviderThatIsNotThere() {
    assertOnlyProblem(
        verify(proper().without("acme.Alpha").in(folder)), "services", "provider acme.Alpha");
  }

  @Test
  void exportsAreWorthANote() {
    Path jar = proper().module(AlphaPlugin.module("acme", "exports acme;")).in(folder);

    assertFound(verify(jar), Level.WARNING, "exports", "acme.jar exports acme");
  }

  @Test
  void aPlainJarIsWorthANote() {
    Path jar =
        PluginJarBuilder.jar("acme-steps-2.1.jar")
            .source("acme.Alpha", AlphaPlugin.provider("acme"))
            .service(AlphaStrategyProvider.class, "acme.Alpha")
            .in(folder);

    List<Diagnostic> verification = verify(jar);

    assertFound(verification, Level.WARNING, "module", "module acme.steps by its name");
    assertEquals(List.of(), errors(verification));
  }

  @Test
  void aCopyOfTheSpiInTheJar() {
    Path jar =
        PluginJarBuilder.jar("acme.jar")
            .source("acme.Alpha", AlphaPlugin.provider("acme"))
            .source("org.pecf.api.plugin.Own", "public class Own {}")
            .service(AlphaStrategyProvider.class, "acme.Alpha")
            .in(folder);

    List<Diagnostic> verification = verify(jar);

    assertFound(verification, Level.ERROR, "pecf-api", "its own copy of pecf-api (1 classes)");
  }

  @Test
  void aCopyOfTheSpiBesideTheJar() {
    Path plugin = folder.resolve("acme");
    proper().in(plugin);
    PluginJarBuilder.jar("pecf-api.jar")
        .module("module org.pecf.api { exports org.pecf.api; }")
        .source("org.pecf.api.Thing", "public class Thing {}")
        .in(plugin);

    List<Diagnostic> verification = verify(plugin);

    assertFound(verification, Level.WARNING, "module", "PECF has module org.pecf.api already");
    assertEquals(List.of(), errors(verification));
  }

  @Test
  void aSplitPackage() {
    Path plugin = folder.resolve("acme");
    proper().in(plugin);
    for (String side : List.of("left", "right")) {
      PluginJarBuilder.jar(side + ".jar")
          .module("module " + side + " { exports shared; }")
          .source("shared.Thing", "public class Thing {}")
          .in(plugin);
    }

    assertOnlyProblem(verify(plugin), "module", "Package shared is both in");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lib/acme.so", "win/acme.DLL", "libacme.so.1.2", "mac/libacme.dylib"})
  void nativeCode(String library) {
    Path jar = proper().entry(library, "machine code").in(folder);

    assertFound(verify(jar), Level.WARNING, "native code", library + " in acme.jar");
  }

  @Test
  void classesOfANewerJava() {
    Path jar =
        proper().source("acme.Deep", "class Deep {}").compiledFor(40, "acme.Deep").in(folder);

    assertOnlyProblem(
        verify(jar), "Java release", "acme.Deep of acme.jar was compiled for Java 40");
  }

  @Test
  void classesForANewerJavaThatThisOneDoesNotUseAreFine() {
    Path jar = proper().entry("META-INF/versions/99/acme/Deep.class", "of the future").in(folder);

    assertEquals(List.of(), errors(verify(jar)));
  }

  @Test
  void aDamagedClass() {
    Path jar = proper().entry("acme/Deep.class", "no class").in(folder);

    assertOnlyProblem(verify(jar), "classes", "acme/Deep.class of acme.jar is damaged");
  }

  @Test
  void whatIsNoPluginAtAll() throws IOException {
    Path text = Files.writeString(folder.resolve("notes.txt"), "hello");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Path html = Files.writeString(folder.resolve("page.jar"), "<html>");

    assertOnlyProblem(verify(text), "module", "neither a jar nor a folder");
    assertOnlyProblem(verify(empty), "module", "holds no jar");
    assertOnlyProblem(verify(folder.resolve("nowhere.jar")), "module", "There is no");
    assertOnlyProblem(verify(html), "module", "is named like a jar but is not one");
  }

  @Test
  void bytesDamagedAnywhereAreReportedNotThrown() throws IOException {
    Path jar =
        proper(AlphaPlugin.provider("acme").replace(CONSTRUCTOR, "switch (4) { case 4: }"))
            .in(folder);
    byte[] bytes = Files.readAllBytes(jar);
    SplittableRandom random = new SplittableRandom(7);
    for (int k = 0; k < 200; k++) {
      byte[] damaged =
          Arrays.copyOf(bytes, k % 4 == 0 ? random.nextInt(bytes.length) : bytes.length);
      for (int flip = 0; flip < 4 && damaged.length > 0; flip++) {
        damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Path wreck = Files.write(folder.resolve("wreck.jar"), damaged);

      assertFalse(verify(wreck).isEmpty());
    }
  }
}
