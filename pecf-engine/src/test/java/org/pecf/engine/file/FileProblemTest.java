package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void unreadableFilesAreExplainedWithoutTheirNames(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("missing");
    IOException cause = assertThrows(IOException.class, () -> Files.readString(missing));
    assertEquals("there is no such file", FileProblem.unreadable(missing, cause));
    assertEquals("it is a folder", FileProblem.unreadable(folder, new IOException("is a folder")));
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff});
    IOException encoding = assertThrows(IOException.class, () -> Files.readString(bytes));
    assertEquals("it is not text in UTF-8", FileProblem.unreadable(bytes, encoding));
    assertEquals(
        "input/output error", FileProblem.unreadable(bytes, new IOException("Input/output error")));
  }
}
