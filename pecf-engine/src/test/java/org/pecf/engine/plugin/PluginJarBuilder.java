package org.pecf.engine.plugin;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Build a plugin jar from sources, outside the module path of the tests.
 *
 * <p>Sources are compiled against the module path (or class path) that the tests run with. Depends
 * on the JDK alone.
 */
public final class PluginJarBuilder {
  private static final int MAJOR_VERSION_OFFSET = 7;

  private final String fileName;
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, byte[]> entries = new TreeMap<>();
  private final Map<String, UnaryOperator<byte[]>> changes = new LinkedHashMap<>();
  private final List<Path> libraries = new ArrayList<>();
  private final Manifest manifest = new Manifest();
  private String moduleVersion = "";

  private PluginJarBuilder(String fileName) {
    this.fileName = fileName;
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
  }

  /** Start a jar of the given file name. */
  public static PluginJarBuilder jar(String fileName) {
    return new PluginJarBuilder(fileName);
  }

  /** Add a module-info; without one the jar is a plain jar. */
  public PluginJarBuilder module(String declaration) {
    sources.put("module-info.java", declaration);
    return this;
  }

  /** Give the module a version. */
  public PluginJarBuilder version(String version) {
    moduleVersion = version;
    return this;
  }

  /** Add a source file; the package declaration is added to it. */
  public PluginJarBuilder source(String className, String body) {
    int dot = className.lastIndexOf('.');
    sources.put(
        className.replace('.', '/') + ".java",
        "package " + className.substring(0, dot) + ";\n" + body);
    return this;
  }

  /** Add a file as it is. */
  public PluginJarBuilder entry(String name, String text) {
    entries.put(name, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Add a META-INF/services file. */
  public PluginJarBuilder service(Class<?> service, String... providers) {
    return entry("META-INF/services/" + service.getName(), String.join("\n", providers) + "\n");
  }

  /** Set an attribute of the manifest. */
  public PluginJarBuilder manifest(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
    return this;
  }

  /** Compile against a further jar, which is not put into this one. */
  public PluginJarBuilder library(Path jar) {
    libraries.add(jar);
    return this;
  }

  /** Leave out what was compiled from a class, as if it had been forgotten. */
  public PluginJarBuilder without(String className) {
    changes.put(className.replace('.', '/') + ".class", bytes -> null);
    return this;
  }

  /** Mark a class as compiled for a Java release. */
  public PluginJarBuilder compiledFor(int release, String className) {
    changes.put(
        className.replace('.', '/') + ".class",
        bytes -> {
          bytes[MAJOR_VERSION_OFFSET] = (byte) (release + 44);
          return bytes;
        });
    return this;
  }

  /** Compile, and write the jar into a folder, which is created if need be. */
  public Path in(Path folder) {
    try {
      Files.createDirectories(folder);
      Path work = Files.createTempDirectory("plugin-jar");
      try {
        Map<String, byte[]> content = new TreeMap<>(entries);
        content.putAll(compiled(work));
        Path jar = folder.resolve(fileName);
        Files.write(jar, zipped(content));
        return jar;
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, byte[]> compiled(Path work) throws IOException {
    if (sources.isEmpty()) {
      return Map.of();
    }
    Path classes = work.resolve("classes");
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes + ""));
    arguments.add(sources.containsKey("module-info.java") ? "--module-path" : "--class-path");
    arguments.add(libraryPath());
    if (!moduleVersion.isEmpty()) {
      arguments.addAll(List.of("--module-version", moduleVersion));
    }
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = work.resolve(source.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, source.getValue());
      arguments.add(file.toString());
    }
    StringWriter messages = new StringWriter();
    PrintWriter writer = new PrintWriter(messages);
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow(() -> new IllegalStateException("these tests need a JDK, not a JRE"))
            .run(writer, writer, arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalArgumentException(fileName + " does not compile:\n" + messages);
    }
    Map<String, byte[]> result = new TreeMap<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        byte[] bytes =
            changes.getOrDefault(name, UnaryOperator.identity()).apply(Files.readAllBytes(file));
        if (bytes != null) {
          result.put(name, bytes);
        }
      }
    }
    return result;
  }

  private String libraryPath() {
    return Stream.concat(libraries.stream(), ownPath().stream())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Return the module path and the class path that the tests run with. */
  public static List<Path> ownPath() {
    return Stream.of("jdk.module.path", "java.class.path")
        .map(property -> System.getProperty(property, ""))
        .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }

  private byte[] zipped(Map<String, byte[]> content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
      for (Map.Entry<String, byte[]> entry : content.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
