package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FileProblemTest {
  @Test
  void reasonsAreWordsAndNotClasses() {
    assertEquals(
        "no space left on device", FileProblem.reason(new IOException("No space left on device")));
    assertEquals(
        "read-only file system",
        FileProblem.reason(new FileSystemException("/a", null, "Read-only file system")));
    assertEquals("permission denied", FileProblem.reason(new AccessDeniedException("/a")));
    assertEquals("there is no /a", FileProblem.reason(new NoSuchFileException("/a")));
    assertEquals("/a exists", FileProblem.reason(new FileAlreadyExistsException("/a")));
    assertEquals("links lead in a circle", FileProblem.reason(new FileSystemLoopException("/a")));
    assertEquals("java.io.IOException", FileProblem.reason(new IOException()));
  }
}
