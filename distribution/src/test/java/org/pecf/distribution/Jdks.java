package org.pecf.distribution;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Find other JDKs to run the distribution on. */
final class Jdks {
  private Jdks() {}

  /**
   * Return the homes of other JDKs: those that PECF_TEST_JDKS lists, or else one of release 24 or
   * 25 where Linux systems keep them; what later ones warn of is not known. The running one if
   * there is none.
   */
  static List<Path> others() {
    String listed = System.getenv("PECF_TEST_JDKS");
    if (listed != null) {
      return Stream.of(listed.split(File.pathSeparator)).map(Path::of).toList();
    }
    Path usual = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(usual)) {
      try (Stream<Path> homes = Files.list(usual)) {
        List<Path> newer =
            homes
                .filter(home -> !Files.isSymbolicLink(home))
                .filter(home -> release(home) == 24 || release(home) == 25)
                .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                .limit(1)
                .toList();
        if (!newer.isEmpty()) {
          return newer;
        }
      } catch (IOException e) {
        // none to be found
      }
    }
    return List.of(Path.of(System.getProperty("java.home")));
  }

  private static int release(Path home) {
    try (Stream<String> lines = Files.lines(home.resolve("release"))) {
      return lines
          .filter(line -> line.startsWith("JAVA_VERSION=\""))
          .mapToInt(line -> Integer.parseInt(line.split("[\".]")[1]))
          .findFirst()
          .orElse(0);
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
