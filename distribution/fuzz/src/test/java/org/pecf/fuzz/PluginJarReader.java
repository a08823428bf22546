package org.pecf.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.pecf.engine.plugin.Diagnostic;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;
import org.pecf.engine.plugin.PluginTrust;
import org.pecf.engine.plugin.verify.PluginVerifier;

/**
 * The scanning of a folder of plugins and the checks of a plugin, which run none of its code. An
 * input is a jar as it is, or, after a zero, the module descriptor of a jar.
 */
final class PluginJarReader implements UntrustedReader {
  private final Path folder;
  private final Path jar;
  private final PluginTrust trust;

  PluginJarReader(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder.resolve("plugins"));
    this.jar = this.folder.resolve("plugin.jar");
    Path list = folder.resolve("trusted.txt");
    Files.writeString(list, "strict\n");
    this.trust = PluginTrust.read(list);
  }

  @Override
  public List<byte[]> seeds() throws IOException {
    byte[] descriptor;
    try (InputStream stream = PluginCatalog.class.getResourceAsStream("/module-info.class")) {
      descriptor = stream.readAllBytes();
    }
    return List.of(jar(descriptor), tagged(descriptor), jar(new byte[0]));
  }

  private static byte[] tagged(byte[] bytes) {
    byte[] tagged = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, tagged, 1, bytes.length);
    return tagged;
  }

  private static byte[] jar(byte[] descriptor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "META-INF/MANIFEST.MF", Scratch.bytes("Manifest-Version: 1.0\n\n"));
      put(zip, "module-info.class", descriptor);
      put(
          zip,
          "META-INF/services/org.pecf.api.filter.BaseFilterProvider",
          Scratch.bytes("com.example.Filter # comment\n"));
      put(zip, "com/example/Filter.class", descriptor);
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(0);
    zip.putNextEntry(entry);
    zip.write(bytes);
  }

  @Override
  public void read(byte[] input) throws IOException {
    boolean descriptor = input.length > 0 && input[0] == 0;
    Scratch.replace(jar, descriptor ? jar(Arrays.copyOfRange(input, 1, input.length)) : input);
    PluginVerifier.verify(jar, trust).forEach(PluginJarReader::check);
    for (PluginReport report : PluginCatalog.load(List.of(folder), trust).plugins()) {
      report.diagnostics().forEach(PluginJarReader::check);
    }
  }

  /** Check that a message is one line. */
  private static void check(Diagnostic diagnostic) {
    if (diagnostic.toString().chars().anyMatch(Character::isISOControl)) {
      throw new AssertionError("not one line: " + diagnostic);
    }
  }
}
