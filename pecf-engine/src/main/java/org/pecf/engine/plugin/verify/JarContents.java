package org.pecf.engine.plugin.verify;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.pecf.engine.archive.ArchiveLimit;

/**
 * The contents of a jar, as far as checks need them.
 *
 * @param releases the Java releases that classes were compiled for, by the names of the classes;
 *     only classes that this Java would use
 * @param damaged the names of class files that do not start like one
 * @param services the files in META-INF/services: provider classes by service
 * @param natives the native libraries
 */
record JarContents(
    Map<String, Integer> releases,
    List<String> damaged,
    Map<String, List<String>> services,
    List<String> natives) {
  private static final String SERVICES = "META-INF/services/";
  private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d+)/(.*)");
  private static final Pattern NATIVE = Pattern.compile(".*\\.(so(\\.\\d+)*|dll|dylib|jnilib)");
  private static final int MAGIC = 0xCAFEBABE;
  private static final int CLASS_FILE_VERSION_OF_JAVA_0 = 44;

  static JarContents read(Path jar) throws IOException {
    JarContents contents =
        new JarContents(new TreeMap<>(), new ArrayList<>(), new TreeMap<>(), new ArrayList<>());
    ArchiveLimit limit = ArchiveLimit.of(jar);
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        if (!entry.isDirectory()) {
          try (InputStream content = limit.bounded(file.getInputStream(entry))) {
            contents.add(entry.getName(), content);
          }
        }
      }
    }
    return contents;
  }

  private void add(String name, InputStream content) throws IOException {
    if (name.startsWith(SERVICES)) {
      services.put(name.substring(SERVICES.length()), providers(content.readAllBytes()));
    } else if (NATIVE.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
      natives.add(name);
    } else if (name.endsWith(".class")) {
      Optional<String> className = className(name);
      if (className.isPresent()) {
        addClass(className.get(), name, new DataInputStream(content));
      }
    }
  }

  /** Read the header of a class file: the magic number, then the minor and the major version. */
  private void addClass(String className, String entry, DataInputStream content)
      throws IOException {
    try {
      boolean starts = content.readInt() == MAGIC;
      content.readUnsignedShort();
      int version = content.readUnsignedShort();
      if (starts) {
        releases.put(className, version - CLASS_FILE_VERSION_OF_JAVA_0);
      } else {
        damaged.add(entry);
      }
    } catch (EOFException e) {
      damaged.add(entry);
    }
  }

  /** Return the name of the class, unless it is for a newer Java than this. */
  private static Optional<String> className(String entry) {
    Matcher versioned = VERSIONED.matcher(entry);
    String path = entry;
    if (versioned.matches()) {
      if (Integer.parseInt(versioned.group(1)) > Runtime.version().feature()) {
        return Optional.empty();
      }
      path = versioned.group(2);
    }
    return Optional.of(path.substring(0, path.length() - ".class".length()).replace('/', '.'));
  }

  private static List<String> providers(byte[] file) {
    return new String(file, StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
