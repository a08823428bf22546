package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HiddenDraftTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Make the draft that a process of another mark left, and return its lock file. */
  private Path left(String name) throws IOException {
    Path draft = Files.createDirectory(folder.resolve(name));
    Files.writeString(draft.resolve("member-1.users.bin"), "half");
    return Files.createFile(folder.resolve(name + ".lock"));
  }

  @Test
  void draftsOfKilledProcessesAreDeletedWhenTheFolderIsWrittenToAgain() throws Exception {
    left(".model.writing-abc-1");
    Files.writeString(folder.resolve(".metrics.json.writing-abc-2"), "half");
    Files.createFile(folder.resolve(".metrics.json.writing-abc-2.lock"));
    Files.createFile(folder.resolve(".killed-before-its-draft.writing-abc-3.lock"));
    try (HiddenDraft draft = HiddenDraft.beside(folder.resolve("other"))) {
      assertTrue(Files.notExists(draft.path()));
      assertEquals(List.of(draft.path().getFileName() + ".lock"), names());
    }
    assertEquals(List.of(), names());
  }

  @Test
  void draftsOfRunningProcessesStay() throws Exception {
    Path lock = left(".model.writing-abc-1");
    List<String> before = names();
    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
      assertTrue(channel.lock().isValid());
      HiddenDraft.beside(folder.resolve("other")).close();
      assertEquals(before, names());
    }
    HiddenDraft.beside(folder.resolve("other")).close();
    assertEquals(List.of(), names());
  }

  @Test
  void draftsOfThisProcessStandSideBySide() throws Exception {
    Path place = folder.resolve("file");
    try (HiddenDraft one = HiddenDraft.beside(place);
        HiddenDraft two = HiddenDraft.beside(place)) {
      Files.writeString(one.path(), "one");
      Files.writeString(two.path(), "two");
      HiddenDraft.beside(folder.resolve("other")).close();
      assertEquals("one", Files.readString(one.path()));
      assertEquals("two", Files.readString(two.path()));
    }
    assertEquals(List.of(), names());
  }

  /** Files that only look like drafts belong to somebody else. */
  @Test
  void filesWithoutALockFileStay() throws Exception {
    Files.createDirectory(folder.resolve(".model.writing-1"));
    Files.writeString(folder.resolve(".notes.writing-abc-1"), "mine");
    Files.writeString(folder.resolve("essay.writing-abc-1.lock"), "mine");
    List<String> before = names();
    HiddenDraft.beside(folder.resolve("other")).close();
    assertEquals(before, names());
  }

  @Test
  void linksInDraftsAreDeletedAndNotFollowed() throws Exception {
    Path precious = Files.createDirectory(folder.resolve("precious"));
    Files.writeString(precious.resolve("file"), "precious");
    left(".model.writing-abc-1");
    Files.createSymbolicLink(folder.resolve(".model.writing-abc-1/link"), precious);
    Files.createSymbolicLink(folder.resolve(".file.writing-abc-2"), precious);
    Files.createFile(folder.resolve(".file.writing-abc-2.lock"));
    HiddenDraft.beside(folder.resolve("other")).close();
    assertEquals(List.of("precious"), names());
    assertEquals("precious", Files.readString(precious.resolve("file")));
  }
}
