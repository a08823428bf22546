package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class OutputFileTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void assertRefused(Path file, String reason) {
    PecfException refused =
        assertThrows(PecfException.class, () -> OutputFile.at(file).check(), file.toString());
    assertEquals(ErrorCode.BAD_OPTION, refused.code());
    assertTrue(refused.getMessage().startsWith("Cannot write " + file + ": "), refused.toString());
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
  }

  @Test
  void plainFilesAreWrittenAndReplacedWhole() throws Exception {
    Path file = folder.resolve("file");
    OutputFile.at(file).check();
    assertEquals(List.of(), names(), "a trial leaves nothing");
    OutputFile.at(file).write("one");
    OutputFile output = OutputFile.at(file);
    assertTrue(output.replaces());
    output.check();
    try (OutputFile.Draft draft = output.begin()) {
      draft.channel().write(ByteBuffer.wrap(new byte[] {1}));
      assertEquals("one", Files.readString(file));
    }
    assertEquals("one", Files.readString(file), "given up");
    output.write("two");
    assertEquals("two", Files.readString(file));
    assertEquals(List.of("file"), names());
  }

  @Test
  void rightsStay() throws Exception {
    Assumptions.assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Path file = Files.writeString(folder.resolve("file"), "one");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    OutputFile.at(file).write("two");
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void linksStayAndWhatTheyLeadToIsWritten() throws Exception {
    Path target = Files.writeString(folder.resolve("target"), "one");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    OutputFile.at(link).check();
    OutputFile.at(link).write("two");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("two", Files.readString(target));

    Path missing = Files.createSymbolicLink(folder.resolve("missing"), Path.of("new"));
    OutputFile.at(missing).check();
    OutputFile.at(missing).write("three");
    assertTrue(Files.isSymbolicLink(missing));
    assertEquals("three", Files.readString(folder.resolve("new")));
    assertEquals(List.of("link", "missing", "new", "target"), names());
  }

  @Test
  void circlesAreRefused() throws Exception {
    Files.createSymbolicLink(folder.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
    PecfException refused =
        assertThrows(PecfException.class, () -> OutputFile.at(folder.resolve("a")));
    assertEquals(ErrorCode.BAD_OPTION, refused.code());
  }

  @Test
  void pipesAreWrittenTo() throws Exception {
    Path pipe = folder.resolve("pipe");
    Assumptions.assumeTrue(made("mkfifo", pipe.toString()), "this system has no mkfifo");
    OutputFile.at(pipe).check();
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readString(pipe);
              } catch (IOException e) {
                return e.toString();
              }
            });
    assertFalse(OutputFile.at(pipe).replaces());
    OutputFile.at(pipe).write("through");
    assertEquals("through", read.get(1, TimeUnit.MINUTES));
    assertTrue(
        Files.readAttributes(pipe, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther());
  }

  private static boolean made(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void devicesStayAndTheirFailuresAreReported() throws Exception {
    Path full = Path.of("/dev/full");
    Assumptions.assumeTrue(Files.isWritable(full), "this system has no /dev/full");
    Path link = Files.createSymbolicLink(folder.resolve("link"), full);
    for (Path device : List.of(full, link)) {
      PecfException failed =
          assertThrows(PecfException.class, () -> OutputFile.at(device).write("lost"));
      assertEquals(ErrorCode.RESOURCES, failed.code());
      assertTrue(failed.getMessage().startsWith("Cannot write " + device), failed.toString());
    }
    assertFalse(Files.isRegularFile(full));
    OutputFile.at(Path.of("/dev/null")).write("gone");
    assertFalse(Files.isRegularFile(Path.of("/dev/null")));
  }

  @Test
  void foldersAreNeitherReplacedNorMade() throws Exception {
    assertRefused(folder, "it is a folder");
    Path missing = folder.resolve("missing/file");
    assertRefused(missing, "there is no folder " + folder.resolve("missing"));
    Path plain = Files.writeString(folder.resolve("plain"), "");
    PecfException refused =
        assertThrows(PecfException.class, () -> OutputFile.at(plain.resolve("file")).check());
    assertEquals(ErrorCode.BAD_OPTION, refused.code());
    assertEquals(List.of("plain"), names());
  }
}
