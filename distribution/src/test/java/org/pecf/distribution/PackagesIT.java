package org.pecf.distribution;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of all shipped modules. */
class PackagesIT {
  /** Modules of which none knows a later one. */
  private static final List<String> DATA_FLOW =
      List.of(
          "api",
          "engine.archive",
          "engine.plugin",
          "engine.data",
          "engine.ensemble",
          "engine.evaluate",
          "engine.construct",
          "engine.request",
          "engine.json",
          "engine.model",
          "engine.resource",
          "engine.recommend",
          "engine.effort",
          "engine.run",
          "study",
          "serve",
          "cli");

  private static JavaClasses classes;

  @BeforeAll
  static void importJars() throws IOException {
    // By name, since two backends ship the same base.
    Map<String, JarFile> jars = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(Distribution.built())) {
      for (Path path : paths.sorted().toList()) {
        String name = path.getFileName().toString();
        if (name.endsWith(System.getProperty("pecf.version") + ".jar") && !jars.containsKey(name)) {
          jars.put(name, new JarFile(path.toFile()));
        }
      }
    }
    classes = new ClassFileImporter().importJars(jars.values());
    for (JarFile jar : jars.values()) {
      jar.close();
    }
    for (String name : Stream.concat(DATA_FLOW.stream(), Stream.of("testkit")).toList()) {
      assertTrue(
          classes.stream().anyMatch(type -> type.getPackageName().startsWith("org.pecf." + name)),
          name);
    }
    assertTrue(classes.size() > 500, () -> classes.size() + " classes");
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("org.pecf.(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  void packagesFollowTheDataFlow() {
    for (int k = 0; k + 1 < DATA_FLOW.size(); k++) {
      String[] later =
          DATA_FLOW.stream().skip(k + 1).map(PackagesIT::packages).toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(packages(DATA_FLOW.get(k)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(later)
          .check(classes);
    }
  }

  private static String packages(String module) {
    return "org.pecf." + module + "..";
  }

  @Test
  void constructionsCannotReachRunsModelsAndFiles() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "org.pecf.engine.construct..",
            "org.pecf.engine.ensemble..",
            "org.pecf.engine.evaluate..",
            "org.pecf.engine.data.split..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.pecf.engine.file..", "org.pecf.engine.model..", "org.pecf.engine.run..")
        .check(classes);
  }

  @Test
  void onlyTheCommandLinePrintsAndExits() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.pecf.cli..", "org.pecf.testkit..")
        .should()
        .callMethod(System.class, "exit", int.class)
        .check(classes);
    // The server writes its access log to standard output if the user asks for that.
    noClasses()
        .that()
        .resideOutsideOfPackages("org.pecf.cli..", "org.pecf.serve..", "org.pecf.testkit..")
        .should()
        .accessField(System.class, "out")
        .check(classes);
  }
}
