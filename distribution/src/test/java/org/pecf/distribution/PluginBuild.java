package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Build a plugin's project as a stranger would: against the distribution's own lib/.
 *
 * @param project the folder of the project, which is left as it is
 * @param libraries what it needs besides
 * @param work where classes are put
 */
record PluginBuild(Path project, List<Path> libraries, Path work) {
  PluginBuild {
    libraries = List.copyOf(libraries);
  }

  /** Compile the project's sources and pack them with its resources. */
  Path jar(Path target) throws IOException {
    Path classes = Files.createTempDirectory(work, "classes");
    List<Path> modules = new ArrayList<>(libraries);
    modules.add(Distribution.built().resolve("lib"));
    compile(project.resolve("src/main/java"), classes, "--module-path", path(modules));
    Files.createDirectories(target.getParent());
    try (OutputStream stream = Files.newOutputStream(target);
        JarOutputStream packed = new JarOutputStream(stream)) {
      for (Path root : List.of(classes, project.resolve("src/main/resources"))) {
        for (Path file : files(root)) {
          packed.putNextEntry(
              new JarEntry(root.relativize(file).toString().replace(File.separatorChar, '/')));
          Files.copy(file, packed);
        }
      }
    }
    return target;
  }

  /**
   * Compile the project's tests, run those of a class, and expect that none fails.
   *
   * @return how many succeeded
   */
  int test(Path jar, String className) throws IOException, ClassNotFoundException {
    List<URL> path = new ArrayList<>(List.of(jar.toUri().toURL(), tests(jar).toUri().toURL()));
    for (Path library : libraries) {
      path.add(library.toUri().toURL());
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(path.toArray(URL[]::new), before)) {
      thread.setContextClassLoader(loader);
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(loader.loadClass(className)))
                  .build(),
              listener);
      assertEquals(
          List.of(),
          listener.getSummary().getFailures().stream()
              .map(failure -> failure.getTestIdentifier() + ": " + failure.getException())
              .toList());
      return Math.toIntExact(listener.getSummary().getTestsSucceededCount());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Compile the project's tests against its jar and what these tests run with. */
  private Path tests(Path jar) throws IOException {
    Path classes = Files.createTempDirectory(work, "test-classes");
    compile(
        project.resolve("src/test/java"),
        classes,
        "--class-path",
        jar + File.pathSeparator + System.getProperty("java.class.path"));
    return classes;
  }

  private static void compile(Path sources, Path classes, String pathOption, String path)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-proc:none", "--release", "17", pathOption, path, "-d", classes.toString()));
    files(sources).forEach(file -> arguments.add(file.toString()));
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, messages, messages, arguments.toArray(String[]::new));
    assertEquals(0, code, () -> messages.toString(StandardCharsets.UTF_8));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static String path(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
