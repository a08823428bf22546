package org.pecf.backend.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each case in a process of its own, for a library is loaded once. */
class NativeLibraryTest {
  private static final String LIBRARY =
      "org/bytedeco/openblas/" + Loader.getPlatform() + "/libjniopenblas_full.so";

  @TempDir Path folder;
  private Path temporary;
  private Path noHome;

  @BeforeEach
  void shared() throws Exception {
    Assumptions.assumeTrue(jar().isPresent(), "no Linux library is bundled here");
    temporary = Files.createDirectory(folder.resolve("temporary"));
    Files.setAttribute(temporary, "unix:mode", 01777);
    // Nobody can make a folder in a file, whoever runs the test.
    noHome = Files.writeString(folder.resolve("home"), "");
  }

  private static String classPath() {
    return String.join(
        File.pathSeparator,
        "target/test-classes",
        "target/classes",
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path"),
        System.getProperty("surefire.test.class.path", ""));
  }

  /** Find the jar that the library is in. */
  private static Optional<Path> jar() throws IOException {
    for (String entry : classPath().split(File.pathSeparator)) {
      if (entry.endsWith(".jar")) {
        try (JarFile jar = new JarFile(entry)) {
          if (jar.getEntry(LIBRARY) != null) {
            return Optional.of(Path.of(entry));
          }
        }
      }
    }
    return Optional.empty();
  }

  private String probe(Path home) throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-Duser.home=" + home,
                "-cp",
                classPath(),
                ProbeMain.class.getName())
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the probe ends");
    assertEquals(0, process.exitValue(), Files.readString(folder.resolve("err")));
    return Files.readString(out).strip();
  }

  /** MLlib and others load the system's library, of the same name, in the same process. */
  @ParameterizedTest
  @ValueSource(strings = {"netlib", "ours"})
  void besideNetlib(String first) throws Exception {
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Dorg.bytedeco.javacpp.cachedir="
                    + System.getProperty("org.bytedeco.javacpp.cachedir", temporary.toString()),
                "-cp",
                classPath(),
                NetlibMain.class.getName(),
                first)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(err.toFile())
            .start();
    assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the process ends");
    Assumptions.assumeTrue(
        process.exitValue() != NetlibMain.NO_LIBRARY,
        "this machine has no system OpenBLAS (libblas.so.3) for netlib");
    assertEquals(0, process.exitValue(), Files.readString(err));
    assertEquals("both are right", Files.readString(folder.resolve("out")).strip());
  }

  /** Put what is no library where it would be unpacked to, of its size and of its time. */
  private Path plant(Path cache) throws Exception {
    Path jar = jar().orElseThrow();
    Path planted = cache.resolve(jar.getFileName()).resolve(LIBRARY);
    try (JarFile file = new JarFile(jar.toFile())) {
      JarEntry entry = file.getJarEntry(LIBRARY);
      Files.createDirectories(planted.getParent());
      Files.write(planted, new byte[(int) entry.getSize()]);
      Files.setLastModifiedTime(planted, FileTime.fromMillis(entry.getTime()));
    }
    return planted;
  }

  private List<String> left() throws Exception {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void plantedInTheCacheOfJavaCpp() throws Exception {
    Path planted =
        plant(temporary.resolve(".javacpp-" + System.getProperty("user.name")).resolve("cache"));
    assertTrue(probe(noHome).startsWith("OpenBLAS"), "the planted library is not loaded");
    assertArrayEquals(new byte[(int) Files.size(planted)], Files.readAllBytes(planted));
  }

  @Test
  void plantedInOurOwn() throws Exception {
    assertTrue(probe(noHome).startsWith("OpenBLAS"));
    assertEquals(1, left().size(), "kept from run to run");
    Path kept = temporary.resolve(left().get(0));
    assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)));
    plant(kept);
    Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertTrue(probe(noHome).startsWith("OpenBLAS"), "a folder of everybody is not trusted");
    assertEquals(1, left().size(), "and what was unpacked instead is deleted");
  }

  @Test
  void keptInTheHomeFolder() throws Exception {
    Path home = Files.createDirectory(folder.resolve("usable"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    assertTrue(probe(home).startsWith("OpenBLAS"));
    Path library;
    try (Stream<Path> files = Files.walk(home.resolve(".pecf"))) {
      library =
          files.filter(file -> file.endsWith("libjniopenblas_full.so")).findFirst().orElseThrow();
    }
    Object before = Files.getAttribute(library, "unix:ino");
    assertTrue(probe(home).startsWith("OpenBLAS"));
    assertEquals(before, Files.getAttribute(library, "unix:ino"), "unpacked once");
    assertEquals(List.of(), left());
  }
}
