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
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.tools.plugin.Finding.Level;

/** What the doctor says of plugins and their surroundings. */
class PluginDoctorTest {
  @TempDir Path plugins;

  private static Finding about(List<Finding> findings, String check) {
    List<Finding> found = findings.stream().filter(one -> one.check().equals(check)).toList();
    assertEquals(1, found.size(), check + " in " + findings);
    return found.get(0);
  }

  @Test
  void theSurroundingsOfTheseTestsAreFine() {
    List<Finding> findings = PluginDoctor.surroundings();

    assertEquals(
        List.of("Java", "Arrow", "java.nio", "native access"),
        findings.stream().map(Finding::check).toList());
    assertTrue(findings.stream().allMatch(one -> one.level() == Level.OK), findings.toString());
  }

  @Test
  void everyPluginIsJudgedAndEveryProblemComesWithARemedy() throws IOException {
    AlphaPlugin.of("acme").in(plugins);
    Files.writeString(plugins.resolve("wreck.jar"), "");
    Files.writeString(plugins.resolve("README.txt"), "hello");

    List<Finding> findings = PluginDoctor.plugins(PluginCatalog.load(List.of(plugins)));

    assertEquals(Finding.ok("acme.jar", "offers alpha acme"), about(findings, "acme.jar"));
    assertEquals(Level.PROBLEM, about(findings, "wreck.jar").level());
    assertEquals(Level.WARNING, about(findings, "README.txt").level());
    assertTrue(about(findings, "org.pecf.engine").message().contains("weighting posterior"));
    findings.stream()
        .filter(one -> one.level() != Level.OK)
        .forEach(one -> assertFalse(one.remedy().isBlank(), one.toString()));
    assertTrue(
        about(findings, "wreck.jar").sentence().endsWith("Download or build it again."),
        about(findings, "wreck.jar").sentence());
  }
}
