package org.pecf.engine.plugin;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The entries of plugins folders that are plugins: jars, and folders that hold jars. */
final class PluginFolders {
  /**
   * An entry that looks like a plugin.
   *
   * @param findings the findings about it
   * @param jars its jars, in order of name
   * @param contents the files that are read in place of the jars, in the same order: these
   *     themselves or private copies
   */
  record Candidate(PluginFindings findings, List<Path> jars, List<Path> contents) {
    Candidate(PluginFindings findings, List<Path> jars) {
      this(findings, jars, jars);
    }

    Candidate readFrom(List<Path> copies) {
      return new Candidate(findings, jars, copies);
    }
  }

  private final List<Candidate> candidates = new ArrayList<>();
  private final List<PluginFindings> setAside = new ArrayList<>();
  private final Map<Path, Path> seen = new HashMap<>();
  private int current;

  private PluginFolders() {}

  /** List the entries of folders in the given order; a jar in place of a folder is a plugin. */
  static PluginFolders scan(List<Path> folders) {
    PluginFolders result = new PluginFolders();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        result.contained(folder, () -> entries(folder).forEach(result::entry));
      } else {
        result.entry(folder);
      }
      result.current++;
    }
    return result;
  }

  /** Examine one plugin: a jar, or a folder with jars. */
  static PluginFolders of(Path plugin) {
    PluginFolders result = new PluginFolders();
    result.entry(plugin);
    return result;
  }

  List<Candidate> candidates() {
    return candidates;
  }

  /** Return the entries that are no plugins, or cannot even be listed. */
  List<PluginFindings> setAside() {
    return setAside;
  }

  private void entry(Path path) {
    if (isHidden(path)) {
      return;
    }
    contained(
        path,
        () -> {
          // This also fails if the entry does not exist, as with a dangling link.
          Path real = path.toRealPath();
          Path earlier = seen.putIfAbsent(real, path);
          if (earlier != null) {
            setAside(path, "%s is the same as %s".formatted(path, earlier), "Remove one of them");
          } else if (Files.isDirectory(path)) {
            folder(path);
          } else if (isJar(path) && Files.isRegularFile(path)) {
            candidates.add(new Candidate(findings(path), List.of(path)));
          } else {
            setAside(
                path,
                path + " is neither a jar nor a folder with jars",
                "Keep only plugins in a plugins folder");
          }
        });
  }

  private void folder(Path folder) throws IOException {
    List<Path> jars = entries(folder).stream().filter(PluginFolders::isJar).toList();
    if (jars.isEmpty()) {
      setAside(
          folder,
          folder + " holds no jar",
          "Put the plugin's jar and its libraries directly into it, or remove it");
    } else {
      candidates.add(new Candidate(findings(folder), jars));
    }
  }

  private PluginFindings findings(Path path) {
    return PluginFindings.inFolder(path, current);
  }

  private void setAside(Path path, String message, String remedy) {
    PluginFindings findings = findings(path);
    findings.add(Diagnostic.warning(message, remedy));
    findings.ignore();
    setAside.add(findings);
  }

  private void contained(Path path, Look look) {
    try {
      look.run();
    } catch (IOException e) {
      PluginFindings findings = findings(path);
      findings.add(PluginFaults.unreadable(path, e));
      setAside.add(findings);
    }
  }

  /** List a folder in order of name, so that nothing depends on the file system's order. */
  private static List<Path> entries(Path folder) throws IOException {
    TreeSet<Path> sorted = new TreeSet<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(sorted::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return List.copyOf(sorted);
  }

  private static boolean isHidden(Path path) {
    return path.getFileName() == null || path.getFileName().toString().startsWith(".");
  }

  private static boolean isJar(Path path) {
    return path.getFileName().toString().toLowerCase(Locale.ROOT).endsWith(".jar")
        && !isHidden(path);
  }

  @FunctionalInterface
  private interface Look {
    void run() throws IOException;
  }
}
