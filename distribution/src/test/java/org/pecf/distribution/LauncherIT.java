package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

class LauncherIT {
  @TempDir private Path folder;

  private Path fakeJava(String version) throws IOException {
    Path home = Files.createDirectories(folder.resolve("java " + version));
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  @Test
  void versionIsOneLine() throws Exception {
    Outcome outcome = Distribution.in(folder).run("--version").expectExit(0);
    assertEquals(
        "pecf-run " + System.getProperty("pecf.version") + " on Java " + Runtime.version() + "\n",
        outcome.out());
    assertEquals("", outcome.err());
  }

  /** The build behind the launcher of the sources says where it is, and compiles no tests. */
  @Test
  void theBuildOfTheSourcesShowsItsProgress() throws Exception {
    Path sources = Files.createDirectory(folder.resolve("sources"));
    Path launcher =
        Files.copy(
            Path.of(System.getProperty("pecf.root"), "pecf-run"), sources.resolve("pecf-run"));
    Path mvn = Files.createDirectory(folder.resolve("tools")).resolve("mvn");
    Files.writeString(
        mvn,
        """
        #!/bin/sh
        echo "$@" > arguments
        echo '[INFO] Building PECF API 0.1.0-SNAPSHOT                   [2/19]'
        [ -e broken ] && echo '[ERROR] it does not compile' && printf 'no line end' && exit 1
        mkdir -p target distribution/target a/bin
        touch -d '1 minute ago' target/build-started
        printf '#!/bin/sh\\necho "ran $*"\\n' > a/bin/pecf-run
        chmod +x a/bin/pecf-run
        tar -czf distribution/target/pecf-0.tar.gz a
        """);
    Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
    Distribution tool =
        Distribution.in(folder)
            .launchedBy(launcher)
            .with("PATH", mvn.getParent() + ":/usr/bin:/bin");
    Files.createFile(sources.resolve("broken"));
    Outcome broken = tool.run("one").expectExit(1);
    assertTrue(broken.err().contains("[ERROR] it does not compile"), broken.err());
    Files.delete(sources.resolve("broken"));
    Outcome outcome = tool.run("one", "two").expectExit(0);
    assertEquals("ran one two\n", outcome.out());
    assertTrue(outcome.err().contains("pecf-run: building [2/19] PECF API\n"), outcome.err());
    assertTrue(
        Files.readString(sources.resolve("arguments")).contains("-Dmaven.test.skip=true"),
        "no tests are compiled");
  }

  @Test
  void helpNeedsNoPlugins() throws Exception {
    Outcome outcome = Distribution.in(folder).run("--help").expectExit(0);
    assertTrue(outcome.out().startsWith("Usage: pecf-run [train] [OPTIONS]"), outcome.out());
    assertEquals("", outcome.err());
  }

  /** The folder has blanks in its name, a link to a link leads to it, java is on the PATH only. */
  @Test
  void runsFromAnywhereUnderAnyName() throws Exception {
    Path home = folder.resolve("a home with blanks");
    Distribution.copy(Distribution.built(), home);
    Path first =
        Files.createSymbolicLink(folder.resolve("first link"), home.resolve("bin/pecf-run"));
    Path second = Files.createSymbolicLink(folder.resolve("second link"), Path.of("first link"));
    Path elsewhere = Files.createDirectory(folder.resolve("else where"));
    Outcome outcome =
        Distribution.in(elsewhere)
            .launchedBy(second)
            .with("JAVA_HOME", "")
            .with("PATH", System.getProperty("java.home") + "/bin:/usr/bin:/bin")
            .run("plugins", "describe", "wmf")
            .expectExit(0);
    assertTrue(outcome.out().contains(home.resolve("plugins").toString()), outcome.out());
    assertTrue(Files.isSymbolicLink(first));
  }

  /** The shell makes the folder, for the test may run in a locale in which Java cannot. */
  @Test
  void folderThatJavaCannotOpenIsExplained() throws Exception {
    Distribution.copy(Distribution.built(), folder.resolve("home"));
    Files.writeString(
        folder.resolve("start"),
        """
        #!/bin/sh
        folder=$(printf 'inst\\303\\244ll')
        mv home "$folder"
        "./$folder/bin/pecf-run" "$@"
        code=$?
        mv "$folder" home
        exit $code
        """);
    Path start = folder.resolve("start");
    Files.setPosixFilePermissions(start, PosixFilePermissions.fromString("rwxr-xr-x"));
    Outcome refused =
        Distribution.in(folder).launchedBy(start).with("LC_ALL", "C").run("--version");
    if (refused.exitCode() != 0) {
      refused.expectExit(3);
      assertTrue(
          refused
              .err()
              .matches("pecf-run: error: Java cannot open the folder .*, or move PECF to .*\\.\n"),
          refused.err());
    }
    Distribution.in(folder)
        .launchedBy(start)
        .with("LC_ALL", "C.UTF-8")
        .run("--version")
        .expectExit(0);
  }

  @Test
  void tooSmallHeapIsExplained() throws Exception {
    for (String heap : new String[] {"-Xmx4m", "-Xmx4096k", "-Xmx16m", "-XX:MaxHeapSize=16m"}) {
      Outcome outcome =
          Distribution.in(folder).with("PECF_JAVA_OPTS", heap).run("train").expectExit(2);
      assertTrue(
          outcome
              .err()
              .matches("pecf-run: error: The Java heap may take [0-9]+(m|k| MiB) only, .*\n"),
          outcome.err());
    }
  }

  @Test
  void tooFewOpenFilesAreExplained() throws Exception {
    Path start = folder.resolve("start");
    Path launcher = Distribution.built().resolve("bin/pecf-run");
    for (String limit : new String[] {"-n 40", "-n 70"}) {
      Files.writeString(start, "#!/bin/sh\nulimit " + limit + "\n'" + launcher + "' \"$@\"\n");
      Files.setPosixFilePermissions(start, PosixFilePermissions.fromString("rwxr-xr-x"));
      Outcome outcome = Distribution.in(folder).launchedBy(start).run("train").expectExit(2);
      assertTrue(
          outcome.err().matches("pecf-run: error: Programs may open only [47]0 files here, .*\n"),
          outcome.err());
    }
    // A low limit that may be raised is raised.
    Files.writeString(start, "#!/bin/sh\nulimit -S -n 40\n'" + launcher + "' \"$@\"\n");
    Distribution.in(folder).launchedBy(start).run("plugins", "describe", "wmf").expectExit(0);
  }

  @Test
  void wrongJavaHomeIsExplained() throws Exception {
    Outcome outcome =
        Distribution.in(folder).with("JAVA_HOME", "/no/such/java").run("--version").expectExit(3);
    assertEquals(
        "pecf-run: error: JAVA_HOME is /no/such/java, but there is no /no/such/java/bin/java. Point"
            + " JAVA_HOME at a JDK or JRE of version 17 or later, or unset it.\n",
        outcome.err());
  }

  @Test
  void oldJavaIsRefused() throws Exception {
    Path home = fakeJava("11.0.2");
    Outcome outcome =
        Distribution.in(folder).with("JAVA_HOME", home.toString()).run("--version").expectExit(3);
    assertEquals(
        "pecf-run: error: "
            + home
            + "/bin/java is Java 11, but version 17 or later is needed. Set JAVA_HOME to one.\n",
        outcome.err());
  }

  @Test
  void missingJavaIsExplained() throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : new String[] {"sh", "dirname", "readlink", "sed"}) {
      Path found = Path.of("/usr/bin", tool);
      Files.createSymbolicLink(
          tools.resolve(tool), Files.exists(found) ? found : Path.of("/bin", tool));
    }
    Outcome outcome =
        Distribution.in(folder)
            .with("JAVA_HOME", "")
            .with("PATH", tools.toString())
            .run("--version")
            .expectExit(3);
    assertEquals(
        "pecf-run: error: Java was not found. Install a JDK or JRE of version 17 or later, then set"
            + " JAVA_HOME or put java on the PATH.\n",
        outcome.err());
  }

  @Test
  void javaOptionsArePassedOn() throws Exception {
    Outcome outcome =
        Distribution.in(folder)
            .with("PECF_JAVA_OPTS", "-Xmx64m -XshowSettings:vm")
            .run("--version")
            .expectExit(0);
    assertTrue(outcome.err().contains("Max. Heap Size: 64.00M"), outcome.err());
  }

  @Test
  void everyOptionOfTrainingsOnSparkReachesIt() throws Exception {
    Path submit = Files.createDirectories(folder.resolve("bin")).resolve("spark-submit");
    Files.writeString(submit, "#!/bin/sh\nshift 3\necho \"$@\"\n");
    Files.setPosixFilePermissions(submit, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path jar = Files.createFile(folder.resolve("pecf.jar"));
    String own = "--hold-out 0 --cutoff 5 --hard-zeros none --blocks 3 --store s --lists l";
    String command = "--data r.csv --rank 8 --backend spark --refit --out model " + own;
    Outcome outcome =
        Distribution.in(folder)
            .with("SPARK_HOME", folder.toString())
            .with("PECF_SPARK_JAR", jar.toString())
            .run(command.split(" "))
            .expectExit(0);
    assertEquals(
        "--data r.csv --rank 8 " + own + " --refit true --out model", outcome.out().strip());
  }
}
