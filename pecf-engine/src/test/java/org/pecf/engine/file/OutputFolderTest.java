package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class OutputFolderTest {
  @TempDir Path folder;

  @Test
  void trialsLeaveNothing() throws Exception {
    OutputFolder.at(folder.resolve("a/b/c")).checkWithin();
    OutputFolder.at(folder.resolve("a/b/c")).checkBeside();
    OutputFolder.at(folder).checkWithin();
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  @Test
  void linksAreFollowed() throws Exception {
    Path target = folder.toRealPath().resolve("target");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    assertEquals(target, OutputFolder.at(link).place());
    Files.createDirectory(target);
    assertEquals(target, OutputFolder.at(link).place());
  }

  @Test
  void whatIsNoFolderIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    for (Runnable check :
        List.<Runnable>of(
            () -> OutputFolder.at(file).checkWithin(),
            () -> OutputFolder.at(file.resolve("a/b")).checkWithin(),
            () -> OutputFolder.at(file.resolve("a")).checkBeside())) {
      PecfException refused = assertThrows(PecfException.class, check::run);
      assertEquals(ErrorCode.BAD_OPTION, refused.code());
    }
  }
}
