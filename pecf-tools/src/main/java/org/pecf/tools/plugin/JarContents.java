package org.pecf.tools.plugin;

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
 * Hold what is in a jar as far as checks need it.
 *
 * @param classes the class files that this Java would use, by the names of their classes
 * @param unreadable class files that are none, by name, with the reason
 * @param services what META-INF/services says: provider classes by service
 * @param natives the native libraries
 */
record JarContents(
    Map<String, ClassFile> classes,
    Map<String, String> unreadable,
    Map<String, List<String>> services,
    List<String> natives) {
  private static final String SERVICES = "META-INF/services/";
  private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d+)/(.*)");
  private static final Pattern NATIVE = Pattern.compile(".*\\.(so(\\.\\d+)*|dll|dylib|jnilib)");

  static JarContents read(Path jar) throws IOException {
    JarContents contents =
        new JarContents(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
    ArchiveLimit limit = ArchiveLimit.of(jar);
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        if (!entry.isDirectory()) {
          contents.add(file, entry, limit);
        }
      }
    }
    return contents;
  }

  private void add(JarFile file, ZipEntry entry, ArchiveLimit limit) throws IOException {
    String name = entry.getName();
    if (name.startsWith(SERVICES)) {
      services.put(name.substring(SERVICES.length()), providers(bytes(file, entry, limit)));
    } else if (NATIVE.matcher(name.toLowerCase(Locale.ROOT)).matches()) {
      natives.add(name);
    } else if (name.endsWith(".class")) {
      Optional<String> className = className(name);
      if (className.isPresent()) {
        try {
          classes.put(className.get(), ClassFile.read(bytes(file, entry, limit)));
        } catch (ArchiveLimit.TooLarge e) {
          throw e;
        } catch (IOException e) {
          unreadable.put(name, e.getMessage());
        }
      }
    }
  }

  private static byte[] bytes(JarFile file, ZipEntry entry, ArchiveLimit limit) throws IOException {
    try (InputStream content = limit.bounded(file.getInputStream(entry))) {
      return content.readAllBytes();
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
