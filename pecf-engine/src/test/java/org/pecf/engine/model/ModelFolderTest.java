package org.pecf.engine.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

class ModelFolderTest {
  @TempDir Path folder;

  @Test
  void linksStayAndTheFolderTheyLeadToIsWritten() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path empty = Files.createDirectory(elsewhere.resolve("empty"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), empty);
    new ModelFolder(link).put(place -> Files.writeString(place.resolve("content"), "new"), false);
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(empty.resolve("content")));

    Path missing = Files.createSymbolicLink(folder.resolve("missing"), elsewhere.resolve("made"));
    new ModelFolder(missing).put(place -> Files.writeString(place.resolve("a"), "new"), false);
    assertTrue(Files.isSymbolicLink(missing));
    assertEquals("new", Files.readString(elsewhere.resolve("made/a")));
  }

  @Test
  void placesAreTriedBeforeAnythingIsDone() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    PecfException refused =
        assertThrows(
            PecfException.class, () -> ModelStore.checkPlace(file.resolve("model"), false));
    assertEquals(ErrorCode.BAD_OPTION, refused.code());
    ModelStore.checkPlace(folder.resolve("new/model"), false);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  /** Another process stores a model while this one is still writing its own. */
  @Test
  void aModelThatAppearsMeanwhileIsNotReplaced() throws Exception {
    Path place = folder.resolve("model");
    ModelFolder.Content slow =
        written -> {
          Files.createDirectory(place);
          Files.writeString(place.resolve(ModelStore.MANIFEST), "theirs");
          Files.writeString(place.resolve(ModelStore.MANIFEST_CHECKSUM), "theirs");
        };
    PecfException refused =
        assertThrows(PecfException.class, () -> new ModelFolder(place).put(slow, false));
    assertEquals(ErrorCode.BAD_OPTION, refused.code());
    assertEquals("theirs", Files.readString(place.resolve(ModelStore.MANIFEST)));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(place), files.toList(), "the refused model leaves nothing");
    }
  }
}
