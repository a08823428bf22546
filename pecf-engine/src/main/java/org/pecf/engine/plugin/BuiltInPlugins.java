package org.pecf.engine.plugin;

import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The modules and jars of the program itself that offer providers. */
final class BuiltInPlugins {
  /** The name for the program where a provider cannot even be traced to a jar. */
  private static final String PROGRAM = "PECF";

  private final Map<String, PluginFindings> allFindings = new LinkedHashMap<>();

  /** Return the findings about the module or jar that a class comes from. */
  PluginFindings of(Class<?> type) {
    Module module = type.getModule();
    String location = location(type);
    return allFindings.computeIfAbsent(
        module.isNamed() ? module.getName() : location,
        key -> {
          PluginFindings findings = PluginFindings.builtIn(location);
          if (module.isNamed()) {
            findings.describe(module.getDescriptor());
          } else {
            findings.describeVersion(type.getPackage().getImplementationVersion());
          }
          return findings;
        });
  }

  /** Return the findings about the program as a whole. */
  PluginFindings ofProgram() {
    return allFindings.computeIfAbsent(PROGRAM, PluginFindings::builtIn);
  }

  /** Return all findings, in the order in which they were first asked for. */
  List<PluginFindings> all() {
    return List.copyOf(allFindings.values());
  }

  private static String location(Class<?> type) {
    Module module = type.getModule();
    if (module.isNamed()) {
      return module
          .getLayer()
          .configuration()
          .findModule(module.getName())
          .map(ResolvedModule::reference)
          .flatMap(ModuleReference::location)
          .map(BuiltInPlugins::readable)
          .orElse(module.getName());
    }
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? "the class path"
        : readable(URI.create(source.getLocation().toString()));
  }

  private static String readable(URI location) {
    return "file".equals(location.getScheme()) ? Path.of(location).toString() : location.toString();
  }
}
