package org.pecf.engine.plugin;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.testkit.fixture.AlphaPlugin.CONSTRUCTOR;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.archive.Digest;
import org.pecf.engine.plugin.PluginReport.State;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** Which plugins are loaded, by digest. */
class PluginTrustTest {
  @TempDir static Path shelf;
  private static Path good;
  private static Path other;

  @TempDir Path home;
  private Path plugins;
  private Path list;

  private static final String HOME = System.getProperty("user.home");

  @AfterAll
  static void goHome() {
    System.setProperty("user.home", HOME);
  }

  @BeforeAll
  static void buildPlugins() {
    // Copies of plugins are kept there.
    System.setProperty("user.home", shelf.toString());
    good = AlphaPlugin.of("good").in(shelf);
    other = AlphaPlugin.of("other").in(shelf);
  }

  @BeforeEach
  void install() throws IOException {
    plugins = Files.createDirectory(home.resolve("plugins"));
    list = home.resolve("trusted-plugins");
    Files.copy(good, plugins.resolve("good.jar"));
    Files.copy(other, plugins.resolve("other.jar"));
  }

  private PluginCatalog load(String... lines) throws IOException {
    Files.write(list, List.of(lines));
    return PluginCatalog.load(List.of(plugins), PluginTrust.read(list));
  }

  private static PluginReport report(PluginCatalog catalog, String name) {
    return catalog.plugins().stream()
        .filter(report -> Path.of(report.location()).endsWith(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> ids(PluginCatalog catalog) {
    return catalog.plugins().stream()
        .filter(report -> !report.builtIn())
        .flatMap(report -> report.provided().stream().map(PluginReport.Provided::id))
        .sorted()
        .toList();
  }

  @Test
  void strictlyOnlyWhatIsListedIsLoaded() throws IOException {
    PluginCatalog catalog = load("# ours", "strict", Digest.of(good) + "  # good.jar");

    assertEquals(List.of("good"), ids(catalog));
    assertEquals(List.of(), report(catalog, "good.jar").diagnostics());
    PluginReport left = report(catalog, "other.jar");
    assertEquals(State.UNTRUSTED, left.state());
    assertEquals(1, left.diagnostics().size());
    String problem = left.diagnostics().get(0).toString();
    assertTrue(problem.contains("other.jar was left out"), problem);
    assertTrue(problem.contains(list + ": " + Digest.of(other)), problem);
  }

  @Test
  void noCodeOfAnUntrustedPluginRuns() throws IOException {
    Path witness = home.resolve("witness.txt");
    String write =
        "try { java.nio.file.Files.createFile(java.nio.file.Path.of(\"%s\")); }"
            + " catch (java.io.IOException e) { throw new IllegalStateException(e); }";
    AlphaPlugin.of(
            "evil", AlphaPlugin.provider("evil").replace(CONSTRUCTOR, write.formatted(witness)))
        .in(plugins);

    load("strict", Digest.of(good));
    assertTrue(Files.notExists(witness), "a class was initialised");
    load("0".repeat(64));
    assertTrue(Files.exists(witness), "the test would notice");
  }

  @Test
  void theErrorForAMissingIdTellsOfThePluginLeftOut() throws IOException {
    PluginCatalog catalog = load("strict");

    PecfException failure =
        assertThrows(PecfException.class, () -> catalog.find(ProviderKind.ALPHA, "other"));

    assertTrue(failure.getMessage().contains("other.jar was left out"), failure.getMessage());
  }

  @Test
  void otherwiseWhatIsNotListedIsLoadedWithANote() throws IOException {
    PluginCatalog catalog = load(Digest.of(good));

    assertEquals(List.of("good", "other"), ids(catalog));
    assertEquals(List.of(), report(catalog, "good.jar").diagnostics());
    PluginReport noted = report(catalog, "other.jar");
    assertEquals(State.LOADED, noted.state());
    assertEquals(Diagnostic.Level.WARNING, noted.diagnostics().get(0).level());
    assertTrue(noted.diagnostics().toString().contains("not among the trusted"));
  }

  @Test
  void withoutAListEverythingIsTrustedUnlessOnlyListedPluginsAre() {
    PluginTrust trust = PluginTrust.read(home.resolve("missing"));

    PluginCatalog all = PluginCatalog.load(List.of(plugins), trust);
    PluginCatalog none = PluginCatalog.load(List.of(plugins), trust.onlyInListed());

    assertEquals(List.of("good", "other"), ids(all));
    assertEquals(List.of(), report(all, "good.jar").diagnostics());
    assertEquals(List.of(), ids(none));
    assertEquals(State.UNTRUSTED, report(none, "good.jar").state());
    assertFalse(trust.active());
  }

  @Test
  void everyJarOfAFolderMustBeTrusted() throws IOException {
    Path folder = plugins.resolve("pack");
    Path plugin = AlphaPlugin.of("pack").in(folder);
    Path library =
        PluginJarBuilder.jar("tools.jar")
            .module("module tools { exports tools; }")
            .source("tools.Tool", "public class Tool {}")
            .in(folder);

    assertEquals(List.of(), ids(load("strict", Digest.of(plugin))));
    assertEquals(List.of("pack"), ids(load("strict", Digest.of(plugin), Digest.of(library))));
    assertEquals(List.of("pack"), ids(load("strict", Digest.of(List.of(plugin, library)))));
  }

  @Test
  void theDigestOfAFolderIsThatOfTheLinesOfSha256sum() throws IOException {
    String lines =
        Digest.of(good) + "  " + good.getFileName() + "\n" + Digest.of(other) + "  other.jar\n";

    assertEquals(
        Digest.of(lines.getBytes(StandardCharsets.UTF_8)), Digest.of(List.of(good, other)));
    assertEquals(
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        Digest.of(new byte[0]),
        "SHA-256 of nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"good.jar", "abcd", "trusted", "strict strict"})
  void aLineThatIsNoDigestIsRefused(String line) {
    PecfException failure =
        assertThrows(PecfException.class, () -> load("# one", "0".repeat(64), line));

    assertEquals(ErrorCode.BAD_DATA, failure.code());
    assertTrue(
        failure.getMessage().startsWith(list + ", line 3: '" + line + "'"), failure.getMessage());
  }

  @Test
  void aListOfNothingIsRefused() {
    for (String[] lines : new String[][] {{}, {"# nobody yet", "", "  "}}) {
      PecfException failure = assertThrows(PecfException.class, () -> load(lines));

      assertEquals(ErrorCode.BAD_DATA, failure.code());
      assertTrue(
          failure.getMessage().startsWith(list + " lists no plugin. Write "), failure.getMessage());
    }
  }

  @Test
  void aLinkToNoListIsRefused() throws IOException {
    Files.createSymbolicLink(list, home.resolve("gone"));
    PecfException failure = assertThrows(PecfException.class, () -> PluginTrust.read(list));

    assertEquals(ErrorCode.BAD_DATA, failure.code());
    assertTrue(failure.getMessage().contains("is a link to a file that does not exist"));
  }

  /** The jar is replaced at every moment of its loading: none of the other's code may run. */
  @Test
  void nobodyReplacesAPluginBetweenItsCheckAndItsLoading() throws Exception {
    Path witness = home.resolve("witness.txt");
    String write =
        "try { java.nio.file.Files.write(java.nio.file.Path.of(\"%s\"), new byte[1]); }"
            + " catch (java.io.IOException e) { throw new IllegalStateException(e); }";
    Path evil =
        AlphaPlugin.of(
                "good", AlphaPlugin.provider("good").replace(CONSTRUCTOR, write.formatted(witness)))
            .in(Files.createDirectory(home.resolve("evil")));
    Files.delete(plugins.resolve("other.jar"));
    Path place = plugins.resolve("good.jar");
    AtomicBoolean done = new AtomicBoolean();
    Thread attacker =
        new Thread(
            () -> {
              Path next = home.resolve("next.jar");
              for (int turn = 0; !done.get(); turn++) {
                try {
                  Files.copy(turn % 2 == 0 ? evil : good, next, REPLACE_EXISTING);
                  Files.move(next, place, ATOMIC_MOVE, REPLACE_EXISTING);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
    attacker.start();
    int loaded = 0;
    int refused = 0;
    try {
      for (int attempt = 0; attempt < 300; attempt++) {
        if (ids(load("strict", Digest.of(good))).isEmpty()) {
          refused++;
        } else {
          loaded++;
        }
      }
    } finally {
      done.set(true);
      attacker.join();
    }
    assertTrue(Files.notExists(witness), "a class of the other plugin was run");
    assertTrue(loaded > 0 && refused > 0, loaded + " loaded, " + refused + " refused");
  }

  @Test
  void strictMustComeFirst() {
    PecfException failure = assertThrows(PecfException.class, () -> load("0".repeat(64), "strict"));

    assertTrue(failure.getMessage().contains("line 2"), failure.getMessage());
  }

  @Test
  void aListThatIsNoTextIsRefused() throws IOException {
    Files.write(list, new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    PecfException failure = assertThrows(PecfException.class, () -> PluginTrust.read(list));

    assertEquals(ErrorCode.BAD_DATA, failure.code());
  }

  @Test
  void aDamagedJarIsLeftOutStrictly() throws IOException {
    Files.writeString(plugins.resolve("wreck.jar"), "PK");

    assertEquals(State.UNTRUSTED, report(load("strict", Digest.of(good)), "wreck.jar").state());
    assertEquals(State.BROKEN, report(load(Digest.of(good)), "wreck.jar").state());
  }
}
