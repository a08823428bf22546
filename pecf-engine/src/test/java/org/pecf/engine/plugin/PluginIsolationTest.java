package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.pecf.testkit.fixture.AlphaPlugin.STEP;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** What plugins share and what they have for themselves. */
class PluginIsolationTest {
  @TempDir Path plugins;

  @Test
  void twoPluginsMayCarryDifferentVersionsOfALibrary() {
    for (int version = 1; version <= 2; version++) {
      String name = "acme" + version;
      Path folder = plugins.resolve(name);
      Path library =
          PluginJarBuilder.jar("library.jar")
              .module("module library { exports library; }")
              .version(version + ".0")
              .source(
                  "library.Version",
                  "public class Version { public static double step() { return "
                      + version
                      + "; } }")
              .in(folder);
      PluginJarBuilder.jar(name + ".jar")
          .module(AlphaPlugin.module(name, "requires library;"))
          .source(
              name + ".Alpha", AlphaPlugin.provider(name).replace(STEP, "library.Version.step()"))
          .library(library)
          .in(folder);
    }

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(1, catalog.alpha(ProviderChoice.of("acme1")).alpha(null, null));
    assertEquals(2, catalog.alpha(ProviderChoice.of("acme2")).alpha(null, null));
    assertEquals(Optional.of("acme1"), catalog.origin(ProviderKind.ALPHA, "acme1").module());
  }

  @Test
  void aPluginSeesItsOwnVersionOfALibraryThatPecfHas() throws IOException {
    Path folder = plugins.resolve("acme");
    jackson("acme", folder)
        .module(AlphaPlugin.module("acme", "requires com.fasterxml.jackson.databind;"))
        .in(folder);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(List.of(), catalog.origin(ProviderKind.ALPHA, "acme").diagnostics());
    assertEquals(17, catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
    assertNotEquals(17, minorVersion("com.fasterxml.jackson.databind"));
  }

  @Test
  void aPluginWithoutAModuleInfoSeesTheLibrariesOfPecf() throws IOException {
    Path folder = plugins.resolve("acme");
    jackson("acme", folder).service(AlphaStrategyProvider.class, "acme.Alpha").in(folder);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(
        minorVersion("com.fasterxml.jackson.databind"),
        catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
    PluginReport report = catalog.origin(ProviderKind.ALPHA, "acme");
    assertEquals(PluginReport.State.LOADED, report.state());
    assertEquals(3, report.diagnostics().size(), report.diagnostics().toString());
    assertEquals(
        folder.resolve("jackson-annotations-2.17.2.jar")
            + " is not used: "
            + folder.resolve("acme.jar")
            + " has no module-info, so that it sees module com.fasterxml.jackson.annotation of"
            + " PECF, version "
            + version("com.fasterxml.jackson.annotation")
            + ". Use a release of that jar that has a module-info, or leave the library out of the"
            + " plugin.",
        report.diagnostics().get(0).toString());
  }

  /** Return the version of a module of PECF. */
  private static String version(String module) {
    return ModuleLayer.boot()
        .findModule(module)
        .flatMap(found -> found.getDescriptor().rawVersion())
        .orElseThrow();
  }

  private static int minorVersion(String module) {
    return Integer.parseInt(version(module).split("[.]")[1]);
  }

  /** Start a plugin that returns the minor version of its Jackson, beside a Jackson of its own. */
  private static PluginJarBuilder jackson(String name, Path folder) throws IOException {
    Path libraries = Path.of(System.getProperty("pecf.other.jackson"));
    Files.createDirectories(folder);
    try (Stream<Path> jars = Files.list(libraries)) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, folder.resolve(jar.getFileName()));
      }
    }
    return PluginJarBuilder.jar(name + ".jar")
        .source(
            name + ".Alpha",
            AlphaPlugin.provider(name)
                .replace(
                    STEP,
                    "new com.fasterxml.jackson.databind.ObjectMapper().version().getMinorVersion()"));
  }

  @Test
  void pluginsShareWhatCrossesTheSpiAndWhatThatExposes() {
    Set<String> shared = SharedModules.of(ModuleLayer.boot());

    assertTrue(
        shared.containsAll(
            Set.of(
                "java.base",
                "org.pecf.api",
                "org.apache.arrow.memory.core",
                "org.apache.arrow.vector",
                "flatbuffers.java",
                "org.slf4j",
                "org.apache.logging.log4j")),
        shared.toString());
    assertTrue(
        shared.stream().noneMatch(name -> name.startsWith("com.fasterxml")), shared.toString());
  }

  @Test
  void modulesThatNobodyRequiresAreThereToo() {
    Path folder = plugins.resolve("acme");
    PluginJarBuilder.jar("natives.jar")
        .module("open module natives {}")
        .source("natives.Marker", "class Marker {}")
        .entry("natives/library.so", "machine code")
        .in(folder);
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(
                    STEP,
                    "Alpha.class.getClassLoader().getResource(\"natives/library.so\") == null"
                        + " ? 0 : 1"))
        .in(folder);

    PluginCatalog catalog = PluginCatalog.load(List.of(plugins));

    assertEquals(1, catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
  }

  @Test
  void nativeAccessOfTheEngineIsPassedOn() throws ReflectiveOperationException {
    assumeTrue(Runtime.version().feature() >= 22, "native access is granted from Java 22 on");
    Path jar = AlphaPlugin.of("acme").in(plugins);
    ModuleLayer layer =
        PluginLayer.load(
                new PluginFolders.Candidate(PluginFindings.inFolder(jar, 0), List.of(jar)),
                ModuleLayer.boot())
            .orElseThrow();
    Method enabled = Module.class.getMethod("isNativeAccessEnabled");

    assertEquals(
        enabled.invoke(PluginCatalog.class.getModule()),
        enabled.invoke(layer.findModule("acme").orElseThrow()));
    assertEquals(true, enabled.invoke(PluginCatalog.class.getModule()), "set in pom.xml");
  }

  @Test
  void theSameJarsWorkOnAClassPath() throws Exception {
    Path jar =
        AlphaPlugin.of("acme")
            .service(AlphaStrategyProvider.class, "acme.Alpha")
            .in(plugins.resolve("class-path"));
    Path folder = plugins.resolve("folder");
    AlphaPlugin.of("modular").in(folder);
    PluginJarBuilder.jar("plain.jar")
        .source("plain.Alpha", AlphaPlugin.provider("plain"))
        .service(AlphaStrategyProvider.class, "plain.Alpha")
        .in(folder);
    Path program =
        PluginJarBuilder.jar("program.jar")
            .source(
                "program.Main",
                """
                import java.nio.file.Path;
                import java.util.List;
                import org.pecf.engine.plugin.*;

                public class Main {
                  public static void main(String[] folders) {
                    PluginCatalog catalog = PluginCatalog.load(List.of(Path.of(folders[0])));
                    System.out.println(PluginCatalog.class.getModule());
                    System.out.println(catalog.ids(ProviderKind.ALPHA));
                    System.out.println(
                        catalog.alpha(ProviderChoice.parse("acme:0.25")).alpha(null, null));
                    for (PluginReport report : catalog.plugins()) {
                      if (report.location().endsWith(".jar")) {
                        System.out.println(report.location() + " " + report.builtIn());
                      }
                      report.diagnostics().forEach(System.out::println);
                    }
                  }
                }
                """)
            .in(plugins);

    List<String> lines = run(List.of(program, jar), "program.Main", folder.toString());

    assertTrue(lines.get(0).startsWith("unnamed module"), lines.toString());
    assertEquals(
        List.of(
            "[acme, dynamic, fixed, modular, plain, uniform]",
            "0.25",
            jar + " true",
            folder.resolve("modular.jar") + " false",
            folder.resolve("plain.jar") + " false"),
        lines.subList(1, lines.size()));
  }

  /** Run a program on a class path that has all that the tests have and more; return its output. */
  private static List<String> run(List<Path> jars, String main, String argument)
      throws IOException, InterruptedException {
    String classPath =
        Stream.concat(jars.stream(), PluginJarBuilder.ownPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder =
        new ProcessBuilder(java.toString(), "-cp", classPath, main, argument)
            .redirectErrorStream(true);
    // Java would talk of these.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    assertEquals(0, process.waitFor(), output);
    return output.lines().toList();
  }
}
