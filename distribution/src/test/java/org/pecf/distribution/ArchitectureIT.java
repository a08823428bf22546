package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.pecf.api.plugin.SpiVersion;

/** Check the shipped jars, not the sources. */
class ArchitectureIT {
  private static final String SERVICES = "META-INF/services/";

  /**
   * Libraries that have no descriptor yet; a new one needs a reason. Arrow needs flatbuffers. The
   * client library of Prometheus has none, in any version, and Micrometer is built on it.
   */
  private static final Set<String> AUTOMATIC =
      Set.of(
          "flatbuffers.java",
          "io.prometheus.metrics.config",
          "io.prometheus.metrics.core",
          "io.prometheus.metrics.model",
          "io.prometheus.metrics.tracer.common",
          "io.prometheus.metrics.tracer.initializer",
          "io.prometheus.metrics.tracer.otel",
          "io.prometheus.metrics.tracer.otel_agent",
          "io.prometheus.writer.text");

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static Path lib() {
    return Distribution.built().resolve("lib");
  }

  private static Path plugins() {
    return Distribution.built().resolve("plugins");
  }

  private static ModuleDescriptor descriptor(Path jar) {
    Set<ModuleReference> modules = ModuleFinder.of(jar).findAll();
    assertEquals(1, modules.size(), jar + " is a module");
    return modules.iterator().next().descriptor();
  }

  private static List<Path> ours() throws IOException {
    return jars(Distribution.built()).stream()
        .filter(
            jar ->
                jar.getFileName().toString().endsWith(System.getProperty("pecf.version") + ".jar"))
        .toList();
  }

  @Test
  void everyLibraryIsAModule() throws IOException {
    for (Path jar : jars(lib())) {
      ModuleDescriptor descriptor = descriptor(jar);
      assertTrue(
          !descriptor.isAutomatic() || AUTOMATIC.contains(descriptor.name()),
          jar + " has no module descriptor");
    }
  }

  @Test
  void moduleVersionsAreTheProjects() throws IOException {
    assertTrue(ours().size() >= 6, "api, engine, cli and plugins: " + ours());
    for (Path jar : ours()) {
      ModuleDescriptor descriptor = descriptor(jar);
      // Plugins record the version of the SPI that they are compiled against.
      String spi = descriptor.name().equals("org.pecf.api") ? SpiVersion.CURRENT + "+" : "";
      assertEquals(
          spi + System.getProperty("pecf.version"),
          descriptor.rawVersion().orElse("none"),
          () -> "" + jar);
    }
  }

  @Test
  void servicesOfTheClassPathAreThoseOfTheModule() throws IOException {
    for (Path jar : ours()) {
      Map<String, Set<String>> provided = new TreeMap<>();
      descriptor(jar)
          .provides()
          .forEach(
              provides -> provided.put(provides.service(), new TreeSet<>(provides.providers())));
      assertEquals(provided, services(jar), () -> jar + ": META-INF/services and module-info");
    }
  }

  private static Map<String, Set<String>> services(Path jar) throws IOException {
    Map<String, Set<String>> services = new TreeMap<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        if (entry.getName().startsWith(SERVICES) && !entry.isDirectory()) {
          try (BufferedReader reader =
              new BufferedReader(
                  new InputStreamReader(file.getInputStream(entry), StandardCharsets.UTF_8))) {
            services.put(
                entry.getName().substring(SERVICES.length()),
                new TreeSet<>(
                    reader
                        .lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> !line.isEmpty())
                        .toList()));
          }
        }
      }
    }
    return services;
  }

  @Test
  void pluginsExportAndOpenNothing() throws IOException {
    Set<String> ofTheProgram = new TreeSet<>();
    for (Path jar : jars(lib())) {
      ofTheProgram.add(descriptor(jar).name());
    }
    ofTheProgram.removeIf(name -> !name.startsWith("org.pecf.") || name.equals("org.pecf.api"));
    assertTrue(ofTheProgram.contains("org.pecf.engine"), ofTheProgram.toString());
    for (Path jar : ours()) {
      // Beside its own jar a plugin's folder holds the libraries that it brings.
      if (jar.getFileName().toString().startsWith("plugin-")) {
        ModuleDescriptor descriptor = descriptor(jar);
        assertEquals(Set.of(), descriptor.exports(), () -> jar + " exports");
        assertEquals(Set.of(), descriptor.opens(), () -> jar + " opens");
        assertFalse(descriptor.provides().isEmpty(), jar + " provides something");
        assertTrue(
            descriptor.requires().stream().noneMatch(r -> ofTheProgram.contains(r.name())),
            jar + " knows the API only");
      }
    }
  }

  @Test
  void nothingIsShippedTwice() throws IOException {
    Map<String, Path> inLib = new HashMap<>();
    for (Path jar : jars(lib())) {
      Path earlier = inLib.put(descriptor(jar).name(), jar);
      assertEquals(null, earlier, () -> jar + " again");
    }
    List<String> again = new ArrayList<>();
    for (Path jar : jars(plugins())) {
      if (inLib.containsKey(descriptor(jar).name())) {
        again.add(jar + " is " + inLib.get(descriptor(jar).name()));
      }
    }
    assertEquals(List.of(), again);
  }

  @Test
  void foldersAndFilesAreThere() {
    for (String name :
        List.of(
            "bin/pecf-run",
            "bin/pecf-run.bat",
            "conf/log4j2.properties",
            "lib",
            "plugins/plugin-wmf",
            "plugins/plugin-loaders",
            "plugins/plugin-backend-cpu",
            "plugins/plugin-backend-cuda",
            "LICENSE",
            "README.md")) {
      assertTrue(Files.exists(Distribution.built().resolve(name)), name);
    }
    assertTrue(Files.isExecutable(Distribution.built().resolve("bin/pecf-run")));
  }
}
