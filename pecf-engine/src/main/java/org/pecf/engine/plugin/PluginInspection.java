package org.pecf.engine.plugin;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hold what can be known about a plugin without running any of its code: what its modules say, and
 * whether they go together with the program's.
 *
 * @param location the jar or folder
 * @param jars its jars, in order of name; none if it is no plugin
 * @param modules the plugin's own modules by their jars, without those that the program has already
 * @param problems what is wrong or worth knowing
 */
public record PluginInspection(
    Path location,
    List<Path> jars,
    Map<Path, ModuleDescriptor> modules,
    List<Diagnostic> problems) {
  public PluginInspection {
    jars = List.copyOf(jars);
    modules = Collections.unmodifiableMap(new TreeMap<>(modules));
    problems = List.copyOf(problems);
  }

  /** Inspect a plugin: a jar, or a folder with a jar and its libraries. */
  public static PluginInspection of(Path location) {
    PluginFolders found = PluginFolders.of(location);
    if (found.candidates().isEmpty()) {
      return new PluginInspection(
          location,
          List.of(),
          Map.of(),
          found.setAside().stream()
              .flatMap(draft -> draft.report().problems().stream())
              .map(PluginInspection::asError)
              .toList());
    }
    PluginFolders.Candidate candidate = found.candidates().get(0);
    for (Path jar : candidate.jars()) {
      try {
        ArchiveLimit.check(jar);
      } catch (ArchiveLimit.TooLarge e) {
        return new PluginInspection(
            location,
            List.of(),
            Map.of(),
            List.of(Diagnostic.error(e.getMessage(), "Do not use it")));
      } catch (IOException e) {
        // What is wrong with it is found below.
      }
    }
    PluginModules modules = PluginModules.read(candidate, PluginCatalog.ownLayer());
    modules.resolve();
    return new PluginInspection(
        location, candidate.jars(), modules.descriptors(), candidate.draft().report().problems());
  }

  /** In a plugins folder something that is no plugin may lie about; here a plugin was meant. */
  private static Diagnostic asError(Diagnostic problem) {
    return Diagnostic.error(problem.message(), problem.remedy());
  }
}
