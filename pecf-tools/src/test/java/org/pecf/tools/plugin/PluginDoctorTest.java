package org.pecf.tools.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.platform.plugin.Diagnostic.Level;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.testkit.fixture.AlphaPlugin;

/** The diagnostics of plugins and their environment. */
class PluginDoctorTest {
  @TempDir Path plugins;

  private static Diagnostic about(List<Diagnostic> diagnostics, String check) {
    List<Diagnostic> found =
        diagnostics.stream().filter(one -> one.subject().equals(check)).toList();
    assertEquals(1, found.size(), check + " in " + diagnostics);
    return found.get(0);
  }

  @Test
  void theSurroundingsOfTheseTestsAreFine() {
    List<Diagnostic> diagnostics = PluginDoctor.environment();

    assertEquals(
        List.of("Java", "Arrow", "java.nio", "native access"),
        diagnostics.stream().map(Diagnostic::subject).toList());
    assertTrue(
        diagnostics.stream().allMatch(one -> one.level() == Level.OK), diagnostics.toString());
  }

  @Test
  void everyPluginIsJudgedAndEveryProblemComesWithARemedy() throws IOException {
    AlphaPlugin.of("acme").in(plugins);
    Files.writeString(plugins.resolve("wreck.jar"), "");
    Files.writeString(plugins.resolve("README.txt"), "hello");

    List<Diagnostic> diagnostics = PluginDoctor.plugins(PluginCatalog.load(List.of(plugins)));

    assertEquals(Diagnostic.ok("acme.jar", "offers alpha acme"), about(diagnostics, "acme.jar"));
    assertEquals(Level.ERROR, about(diagnostics, "wreck.jar").level());
    assertEquals(Level.WARNING, about(diagnostics, "README.txt").level());
    assertTrue(about(diagnostics, "org.pecf.engine").message().contains("weighting posterior"));
    diagnostics.stream()
        .filter(one -> one.level() != Level.OK)
        .forEach(one -> assertFalse(one.remedy().isBlank(), one.toString()));
    assertTrue(
        about(diagnostics, "wreck.jar").toString().endsWith("Download or build it again."),
        about(diagnostics, "wreck.jar").toString());
  }
}
