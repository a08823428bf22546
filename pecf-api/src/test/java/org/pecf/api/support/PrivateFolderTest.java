package org.pecf.api.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
  @TempDir Path folder;

  @BeforeEach
  void posix() {
    Assumptions.assumeTrue(
        folder.getFileSystem().supportedFileAttributeViews().contains("unix"),
        "this file system has no owners and modes");
  }

  private static void chmod(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void madeForTheOwnerAloneAndFoundAgain() throws Exception {
    Path place = folder.resolve(".pecf/library");
    Path made = PrivateFolder.trusted(place).orElseThrow();
    assertEquals("rwx------", rights(made));
    assertEquals("rwx------", rights(made.getParent()));
    Files.writeString(made.resolve("content"), "kept");
    assertEquals(Optional.of(made), PrivateFolder.trusted(place));
    try (Stream<Path> content = Files.list(made)) {
      assertEquals(1, content.count(), "the look at it leaves nothing");
    }
  }

  @Test
  void rightsOfOthersAreRefused() throws Exception {
    Path place = Files.createDirectory(folder.resolve("library"));
    for (String others : new String[] {"rwxrwxrwx", "rwxrwx---", "rwx--x--x", "rwx-----x"}) {
      chmod(place, others);
      assertEquals(Optional.empty(), PrivateFolder.trusted(place), others);
    }
    chmod(place, "rwx------");
    assertTrue(PrivateFolder.trusted(place).isPresent());
  }

  @Test
  void linksAndFilesAreRefused() throws Exception {
    Path target = folder.resolve("target");
    Files.createDirectory(target);
    chmod(target, "rwx------");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertEquals(Optional.empty(), PrivateFolder.trusted(link));
    assertEquals(
        Optional.empty(), PrivateFolder.trusted(Files.writeString(folder.resolve("file"), "")));
  }

  /** Whoever can write to the folder above can put another in its place. */
  @Test
  void foldersThatOthersCanRenameAreRefused() throws Exception {
    Path above = Files.createDirectory(folder.resolve("above"));
    chmod(above, "rwxrwxrwx");
    assertEquals(Optional.empty(), PrivateFolder.trusted(above.resolve("library")));
    Files.setAttribute(above, "unix:mode", 01777);
    assertTrue(PrivateFolder.trusted(above.resolve("library")).isPresent(), "sticky");
  }

  @Test
  void unusablePlacesAreRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(Optional.empty(), PrivateFolder.trusted(file.resolve(".pecf/library")));
  }

  @Test
  void newOnesAreDiscardedWithTheirContent() throws Exception {
    PrivateFolder made = PrivateFolder.create("test");
    assertEquals("rwx------", rights(made.path()));
    Files.writeString(Files.createDirectory(made.path().resolve("a")).resolve("b"), "");
    made.discard();
    assertFalse(Files.exists(made.path()));
  }
}
