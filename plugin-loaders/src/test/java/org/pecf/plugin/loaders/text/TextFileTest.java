package org.pecf.plugin.loaders.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;

class TextFileTest {
  @TempDir private Path folder;

  private TextFile file() throws IOException {
    return TextFile.open(Files.writeString(folder.resolve("ratings.csv"), "1,2\n"));
  }

  @Test
  void fileThatVanishesIsSaidToHave() throws IOException {
    TextFile file = file();
    Files.delete(file.path());
    PecfException problem = assertThrows(PecfException.class, () -> Sample.of(file));
    assertEquals(
        file.path()
            + " vanished while it was read. Make sure that nothing moves or deletes it, and try"
            + " again.",
        problem.getMessage());
  }

  @Test
  void fileThatBecomesShorterIsSaidToHave() throws IOException {
    TextFile file = file();
    Files.writeString(file.path(), "1,");
    PecfException problem = assertThrows(PecfException.class, () -> Sample.of(file));
    assertEquals(
        file.path()
            + " cannot be read: it became shorter while it was read. Check the file and its disk.",
        problem.getMessage());
  }

  @Test
  void whatTheSystemSaysIsSaidWithoutNamesOfClasses() throws IOException {
    TextFile file = file();
    String path = file.path().toString();
    assertEquals(
        path + " may not be read by this user. Check its permissions.",
        file.unreadable(new AccessDeniedException(path)).getMessage());
    assertEquals(
        path + " cannot be read: Input/output error. Check the file and its disk.",
        file.unreadable(new FileSystemException(path, null, "Input/output error")).getMessage());
    assertEquals(
        path + " cannot be read: it became shorter while it was read. Check the file and its disk.",
        file.unreadable(new IOException("it became shorter while it was read")).getMessage());
    assertEquals(
        path + " cannot be read. Check the file and its disk.",
        file.unreadable(new IOException()).getMessage());
  }
}
