package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is missing is said in one sentence; each case in a process of its own, on a class path. */
@ExtendWith(Needs.BuiltStandIn.class)
class ProbeTest {
  @TempDir Path folder;

  private List<String> probe(Path libraries, Map<String, String> environment) throws Exception {
    Path temporary = Files.createDirectories(folder.resolve("temporary"));
    String classPath =
        String.join(
            File.pathSeparator,
            "target/test-classes",
            "target/classes",
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path"),
            System.getProperty("surefire.test.class.path", ""));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Less than a second of Java is not worth compiling well.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Djava.io.tmpdir=" + temporary,
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-cp",
            classPath,
            ProbeMain.class.getName());
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    builder.environment().putAll(environment);
    Path out = folder.resolve("out");
    builder.redirectOutput(out.toFile()).redirectError(folder.resolve("err").toFile());
    Process process = builder.start();
    int exitCode = process.waitFor();
    String err = Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
    assertEquals(0, exitCode, err);
    List<String> lines = Files.readAllLines(out);
    assertEquals("again: true", lines.get(1), "the same answer twice");
    assertEquals("left: []", lines.get(lines.size() - 1), "nothing is left behind");
    return lines;
  }

  private void assertUnavailable(String reason, Path libraries, Map<String, String> environment)
      throws Exception {
    assertEquals("false: " + reason, probe(libraries, environment).get(0));
  }

  @Test
  void noDriver() throws Exception {
    assumeNotInstalled("libcuda.so.1");
    assertUnavailable(
        "There is no NVIDIA driver (libcuda does not load). Install one for CUDA 12.0 or later, or"
            + " use the cpu backend.",
        folder,
        Map.of());
  }

  /** Skip the test where NVIDIA's own library would be found: its absence cannot be shown there. */
  private static void assumeNotInstalled(String library) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", "/sbin/ldconfig -p | grep -qF '" + library + " '").start();
    Assumptions.assumeFalse(process.waitFor() == 0, "this machine has NVIDIA's own " + library);
  }

  @Test
  void noDevice() throws Exception {
    assertUnavailable(
        "The NVIDIA driver finds no device. Check that nvidia-smi lists one and that"
            + " CUDA_VISIBLE_DEVICES does not hide it, or use the cpu backend.",
        StandIn.folder(),
        Map.of("PECF_STANDIN_DEVICES", "0"));
  }

  @Test
  void oldDriver() throws Exception {
    assertUnavailable(
        "The NVIDIA driver supports CUDA 11.8 only, and 12.0 is needed. Update the driver to 525.60"
            + " or later, or use the cpu backend.",
        StandIn.folder(),
        Map.of("PECF_STANDIN_DRIVER", "11080"));
  }

  @Test
  void oldDevice() throws Exception {
    assertUnavailable(
        "Stand-in device 0 has compute capability 3.5, and 5.0 is needed. Use the cpu backend.",
        StandIn.folder(),
        Map.of("PECF_STANDIN_MAJOR", "3", "PECF_STANDIN_MINOR", "5"));
  }

  @Test
  void noCublas() throws Exception {
    assumeNotInstalled("libcublas.so.12");
    Files.copy(StandIn.folder().resolve("libcuda.so.1"), folder.resolve("libcuda.so.1"));
    assertUnavailable(
        "cuBLAS 12 is not installed (libcublas.so.12 does not load; that of CUDA 13 is another"
            + " library). Install the package libcublas-12-6 of NVIDIA beside what is there, or the"
            + " CUDA 12 toolkit, and name the folder of the library in LD_LIBRARY_PATH (on Windows,"
            + " in PATH).",
        folder,
        Map.of());
  }

  @Test
  void everythingThere() throws Exception {
    List<String> lines = probe(StandIn.folder(), Map.of());
    assertEquals(
        "true: Stand-in device 0, 0.5 GB, compute capability 8.6, driver for CUDA 12.4",
        lines.get(0));
    assertEquals("sum: 30.0", lines.get(2));
  }

  /** JCuda would load what somebody else has put there under its names. */
  @Test
  void nothingInTheTemporaryDirectoryIsTrusted() throws Exception {
    Path temporary = Files.createDirectories(folder.resolve("temporary"));
    Path planted = temporary.resolve("libJCudaDriver-12.6.0-linux-x86_64.so");
    Files.writeString(planted, "not a library");
    Path out = folder.resolve("out");
    try {
      probe(StandIn.folder(), Map.of());
    } catch (AssertionError e) {
      // The planted file is what is left.
      assertTrue(e.getMessage().contains(planted.getFileName().toString()), e.getMessage());
    }
    assertEquals("sum: 30.0", Files.readAllLines(out).get(2));
    assertEquals("not a library", Files.readString(planted));
  }
}
