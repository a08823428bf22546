package org.pecf.tools.plugin;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.compute.Availability;
import org.pecf.engine.plugin.NativeAccess;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginProblem;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/** Explain what is wrong with plugins and with the surroundings they run in. */
public final class PluginDoctor {
  private static final int OLDEST_JAVA = 17;
  private static final String LAUNCHER = "Start PECF by bin/pecf-run, or give Java ";

  private PluginDoctor() {}

  /** Check the Java that runs the program, and what Arrow needs of it. */
  public static List<Finding> surroundings() {
    return List.of(javaVersion(), arrowMemory(), directBuffers(), nativeAccess());
  }

  /** Check what became of every plugin, and which backends work here. */
  public static List<Finding> plugins(PluginCatalog catalog) {
    List<Finding> findings = new ArrayList<>();
    for (PluginReport report : catalog.plugins()) {
      String name = name(report);
      for (PluginProblem problem : report.problems()) {
        findings.add(
            problem.severity() == PluginProblem.Severity.ERROR
                ? Finding.problem(name, problem.message(), problem.remedy())
                : Finding.warning(name, problem.message(), problem.remedy()));
      }
      if (report.problems().isEmpty()) {
        findings.add(Finding.ok(name, "offers " + offers(report)));
      }
    }
    for (String id : catalog.ids(ProviderKind.BACKEND)) {
      Availability backend = catalog.backend(ProviderChoice.of(id)).probe();
      findings.add(
          backend.available()
              ? Finding.ok("backend " + id, backend.explanation())
              : Finding.warning(
                  "backend " + id,
                  "it does not work here: " + backend.explanation(),
                  "Choose another by --backend, or provide what it needs"));
    }
    return findings;
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

  private static Finding javaVersion() {
    String words = "Java " + Runtime.version() + " in " + System.getProperty("java.home");
    return Runtime.version().feature() >= OLDEST_JAVA
        ? Finding.ok("Java", words)
        : Finding.problem("Java", words, "Install Java " + OLDEST_JAVA + " or later");
  }

  private static Finding arrowMemory() {
    try (BufferAllocator allocator = new RootAllocator();
        ArrowBuf buffer = allocator.buffer(Long.BYTES)) {
      buffer.setLong(0, 42);
      return Finding.ok("Arrow", "memory can be allocated");
    } catch (RuntimeException | LinkageError e) {
      return Finding.problem(
          "Arrow",
          "memory cannot be allocated: " + e,
          LAUNCHER
              + "--add-modules=org.apache.arrow.memory.unsafe and, from Java 24 on,"
              + " --sun-misc-unsafe-memory-access=allow");
    }
  }

  private static Finding directBuffers() {
    boolean open =
        ByteBuffer.class.getModule().isOpen("java.nio", BufferAllocator.class.getModule());
    return open
        ? Finding.ok("java.nio", "is open to Arrow")
        : Finding.problem(
            "java.nio",
            "is not open to Arrow, which needs it for reading and writing files",
            LAUNCHER + "--add-opens=java.base/java.nio=org.apache.arrow.memory.core");
  }

  private static Finding nativeAccess() {
    return NativeAccess.granted()
        ? Finding.ok("native access", "plugins may load native libraries")
        : Finding.warning(
            "native access",
            "Java warns of, or refuses, the native libraries of plugins",
            LAUNCHER + "--enable-native-access=org.apache.arrow.memory.core,org.pecf.engine");
  }
}
