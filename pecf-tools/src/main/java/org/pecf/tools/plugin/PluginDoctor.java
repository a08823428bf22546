package org.pecf.tools.plugin;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.compute.Availability;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.platform.plugin.NativeAccess;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.PluginReport;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.platform.plugin.ProviderKind;

/** Diagnostics of plugins and of the environment they run in. */
public final class PluginDoctor {
  private static final int OLDEST_JAVA = 17;
  private static final String LAUNCHER = "Start PECF by bin/pecf-run, or give Java ";

  private PluginDoctor() {}

  /** Check the Java that runs the program, and that it allows what Arrow needs. */
  public static List<Diagnostic> environment() {
    return List.of(javaVersion(), arrowMemory(), directBuffers(), nativeAccess());
  }

  /** Check that every plugin was loaded, and which backends work here. */
  public static List<Diagnostic> plugins(PluginCatalog catalog) {
    List<Diagnostic> diagnostics = new ArrayList<>();
    for (PluginReport report : catalog.plugins()) {
      String name = name(report);
      report.diagnostics().forEach(problem -> diagnostics.add(problem.about(name)));
      if (report.diagnostics().isEmpty()) {
        diagnostics.add(Diagnostic.ok(name, "offers " + offers(report)));
      }
    }
    for (String id : catalog.ids(ProviderKind.BACKEND)) {
      Availability backend = catalog.backend(ProviderChoice.of(id)).probe();
      diagnostics.add(
          backend.available()
              ? Diagnostic.ok("backend " + id, backend.explanation())
              : Diagnostic.warning(
                  "backend " + id,
                  "It does not work here: " + backend.explanation(),
                  "Choose another backend, or provide what it needs"));
    }
    return diagnostics;
  }

  private static String offers(PluginReport report) {
    return String.join(
        ", ",
        report.provided().stream().map(provided -> provided.kind() + " " + provided.id()).toList());
  }

  private static String name(PluginReport report) {
    Path file = Path.of(report.location()).getFileName();
    return report.builtIn() || file == null
        ? report.module().orElse(report.location())
        : file.toString();
  }

  private static Diagnostic javaVersion() {
    String words = "Java " + Runtime.version() + " in " + System.getProperty("java.home");
    return Runtime.version().feature() >= OLDEST_JAVA
        ? Diagnostic.ok("Java", words)
        : Diagnostic.error("Java", words, "Install Java " + OLDEST_JAVA + " or later");
  }

  private static Diagnostic arrowMemory() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf buffer = allocator.buffer(Long.BYTES)) {
      buffer.setLong(0, 42);
      return Diagnostic.ok("Arrow", "memory can be allocated");
    } catch (RuntimeException | LinkageError e) {
      return Diagnostic.error(
          "Arrow",
          "memory cannot be allocated: " + e,
          LAUNCHER
              + "--add-modules=org.apache.arrow.memory.unsafe and, from Java 24 on,"
              + " --sun-misc-unsafe-memory-access=allow");
    }
  }

  private static Diagnostic directBuffers() {
    boolean open =
        ByteBuffer.class.getModule().isOpen("java.nio", BufferAllocator.class.getModule());
    return open
        ? Diagnostic.ok("java.nio", "is open to Arrow")
        : Diagnostic.error(
            "java.nio",
            "is not open to Arrow, which needs it for reading and writing files",
            LAUNCHER + "--add-opens=java.base/java.nio=org.apache.arrow.memory.core");
  }

  private static Diagnostic nativeAccess() {
    return NativeAccess.granted()
        ? Diagnostic.ok("native access", "plugins may load native libraries")
        : Diagnostic.warning(
            "native access",
            "Java warns of, or refuses, the native libraries of plugins",
            LAUNCHER + "--enable-native-access=org.apache.arrow.memory.core,org.pecf.platform");
  }
}
