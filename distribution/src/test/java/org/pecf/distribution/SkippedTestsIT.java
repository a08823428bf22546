package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list at the end of the build. */
class SkippedTestsIT {
  private static final Instant BEGINNING = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private Path root;

  private void report(String module, String kind, String name, String cases, int secondsAfter)
      throws IOException {
    Path folder =
        Files.createDirectories(root.resolve(module).resolve("target/" + kind + "-reports"));
    touch(
        Files.writeString(
            folder.resolve("TEST-" + name + ".xml"),
            "<testsuite name='" + name + "'>" + cases + "</testsuite>"),
        secondsAfter);
  }

  private static void touch(Path file, int secondsAfter) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(BEGINNING.plusSeconds(secondsAfter)));
  }

  private List<String> lines() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SkippedTests.print(root, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void skippedTestsOfAllModulesHaveTheirReasons() throws IOException {
    touch(
        Files.createFile(Files.createDirectory(root.resolve("target")).resolve("build-started")),
        0);
    report("one", "surefire", "a.ATest", "<testcase name='runs' classname='a.ATest'/>", 1);
    report(
        "one",
        "surefire",
        "a.BTest",
        """
        <testcase name='aborts' classname='a.BTest'><skipped type='x'><![CDATA[\
        org.opentest4j.TestAbortedException: Assumption failed: there is no g++ <here>
        	at a.BTest.aborts(BTest.java:5)
        ]]></skipped></testcase>\
        """,
        2);
    report(
        "two",
        "failsafe",
        "a.CIT",
        "<testcase name='' classname='a.CIT'><skipped message='Windows only'/></testcase>"
            + "<testcase name='silent' classname='a.CIT'><skipped/></testcase>",
        3);
    report("two", "surefire", "a.DTest", "", 4);
    report(
        "two",
        "surefire",
        "a.GoneTest",
        "<testcase name='old' classname='a.GoneTest'><skipped message='gone'/></testcase>",
        -1);

    assertEquals(
        List.of(
            "4 tests were skipped:",
            "a.BTest.aborts: there is no g++ <here>",
            "a.DTest: none of its tests ran",
            "a.CIT: Windows only",
            "a.CIT.silent: no reason given"),
        lines());
  }

  @Test
  void nothingSkippedAndNothingRunAreNotTheSame() throws IOException {
    assertEquals(List.of("no test was run"), lines());

    report("one", "surefire", "a.ATest", "<testcase name='runs' classname='a.ATest'/>", 1);

    assertEquals(List.of("no test was skipped"), lines());
  }
}
