package org.pecf.engine.plugin;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.pecf.engine.archive.ArchiveLimit;

/**
 * The facts about a plugin that can be learnt without running any of its code: the descriptors of
 * its modules, and whether they fit those of the program.
 *
 * @param location the jar or folder
 * @param jars its jars, in order of name; none if it is no plugin
 * @param modules the plugin's own modules by their jars, without those that it shares with PECF
 * @param diagnostics the errors and warnings
 */
public record PluginInspection(
    Path location,
    List<Path> jars,
    Map<Path, ModuleDescriptor> modules,
    List<Diagnostic> diagnostics) {
  public PluginInspection {
    jars = List.copyOf(jars);
    modules = Collections.unmodifiableMap(new TreeMap<>(modules));
    diagnostics = List.copyOf(diagnostics);
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
              .flatMap(findings -> findings.report().diagnostics().stream())
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
            List.of(Diagnostic.error(Objects.requireNonNull(e.getMessage()), "Do not use it")));
      } catch (IOException e) {
        // Reading its modules below finds the reason.
      }
    }
    PluginModules modules = PluginModules.read(candidate, PluginCatalog.ownLayer());
    modules.resolve();
    return new PluginInspection(
        location,
        candidate.jars(),
        modules.descriptors(),
        candidate.findings().report().diagnostics());
  }

  /** Turn a warning about a stray file into an error, since a plugin was expected. */
  private static Diagnostic asError(Diagnostic diagnostic) {
    return Diagnostic.error(diagnostic.message(), diagnostic.remedy());
  }
}
