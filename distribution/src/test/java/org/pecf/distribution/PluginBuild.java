package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
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

/** Build a plugin's project as a stranger would: against the distribution's own lib/. */
record PluginBuild(Path project, List<Path> libraries) {
  PluginBuild {
    libraries = List.copyOf(libraries);
  }

  /** Compile the project's sources and pack them with its resources. */
  Path jar(Path target) throws IOException {
    Path classes = Files.createTempDirectory("plugin-classes");
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

  /** Compile the project's tests against its jar and what these tests run with. */
  Path tests(Path jar) throws IOException {
    Path classes = Files.createTempDirectory("plugin-tests");
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
