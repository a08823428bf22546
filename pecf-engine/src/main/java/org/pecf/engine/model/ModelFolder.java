package org.pecf.engine.model;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.engine.file.HiddenDraft;
import org.pecf.engine.file.OutputFolder;

/**
 * The place of a model folder, which appears there all at once: it is written beside its place and
 * then renamed. Links are followed.
 *
 * <p>A folder that is replaced keeps its content under the name {@link #previous()} until the new
 * one is in place, so that one of the two exists at any moment.
 */
final class ModelFolder {
  private final Path place;

  ModelFolder(Path place) {
    this.place = OutputFolder.at(place).place();
  }

  /** A writer of the content of a folder. */
  @FunctionalInterface
  interface Content {
    void write(Path folder) throws IOException;
  }

  /** Return where the old content is kept while it is being replaced. */
  Path previous() {
    return place.resolveSibling("." + place.getFileName() + ".previous");
  }

  /** Write the folder; an existing model is replaced only if overwrite is true. */
  void put(Content content, boolean overwrite) throws IOException {
    check(overwrite);
    Files.createDirectories(place.getParent());
    recover();
    check(overwrite);
    try (HiddenDraft draft = HiddenDraft.beside(place)) {
      Path written = Files.createDirectory(draft.path());
      content.write(written);
      force(written);
      // Writing takes a while, in which another process may have stored a model here.
      check(overwrite);
      replace(written);
    }
  }

  /** Undo a replacement that was cut off between its two renames. */
  private void recover() throws IOException {
    if (Files.exists(previous()) && Files.notExists(place)) {
      Files.move(previous(), place, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Refuse a place that holds anything but a model that may be replaced. */
  void check(boolean overwrite) throws IOException {
    if (place.getFileName() == null) {
      throw PecfException.badOption("A model cannot be written to %s. Name a folder in it.", place);
    }
    if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS) || isEmptyFolder()) {
      return;
    }
    if (!Files.exists(place.resolve(ModelStore.MANIFEST))
        || !Files.exists(place.resolve(ModelStore.MANIFEST_CHECKSUM))) {
      throw PecfException.badOption(
          "%s exists and is not a model, so it is not replaced. Choose another folder.", place);
    }
    if (!overwrite) {
      throw PecfException.badOption(
          "%s holds a model already. Choose another folder, or overwrite it.", place);
    }
  }

  private boolean isEmptyFolder() throws IOException {
    if (!Files.isDirectory(place)) {
      return false;
    }
    try (Stream<Path> content = Files.list(place)) {
      return content.findAny().isEmpty();
    }
  }

  private void replace(Path written) throws IOException {
    boolean replaced = Files.exists(place) && !isEmptyFolder();
    if (replaced) {
      HiddenDraft.delete(previous());
      Files.move(place, previous(), StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.deleteIfExists(place);
    }
    try {
      Files.move(written, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      if (replaced) {
        restorePrevious(e);
      }
      throw e;
    }
    force(Objects.requireNonNull(place.getParent()));
    if (replaced) {
      deletePrevious();
    }
  }

  private void restorePrevious(Exception problem) {
    try {
      Files.move(previous(), place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      problem.addSuppressed(e);
    }
  }

  private void deletePrevious() {
    try {
      HiddenDraft.delete(previous());
    } catch (IOException e) {
      // The new model is in place; the next replacement deletes the remains of the old one.
    }
  }

  /** Force the entries of a folder to the disk, where the system can. */
  static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Some systems cannot open a folder; they order renames themselves.
    }
  }
}
