package org.pecf.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.file.FileLocking;
import org.pecf.engine.file.FileProblem;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.json.JsonText;

/** The files of a study, each whole at any moment: a crash leaves the old one or the new one. */
final class StudyFiles {
  private StudyFiles() {}

  /** Write a text to a file, with the folders it is in. */
  static void write(Path file, String text) {
    createFolders(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    OutputFile.at(file).write(text);
  }

  /** Write a value to a file as indented JSON. */
  static void writeJson(Path file, Object value) {
    write(file, JsonText.of(value));
  }

  /** Read the JSON of a file, if there is one, as a value of a type. */
  static <T> Optional<T> read(Path file, Class<T> type) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JsonText.read(Files.readString(file), type));
    } catch (IOException | IllegalArgumentException e) {
      throw PecfException.badData(
              "%s cannot be read (%s). Delete it, and the work is done again.",
              file, e.getMessage())
          .causedBy(e);
    }
  }

  /** Create a folder, with those it is in. */
  static void createFolders(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw cannotWrite(folder, e);
    }
  }

  /**
   * Lock a folder, which is created if it does not exist: two studies at work on the same files
   * would lose what the other finished.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if another study is at work on it
   */
  static FileLocking lock(Path folder) {
    createFolders(folder);
    Path file = folder.resolve(".lock");
    try {
      return FileLocking.tryLock(file)
          .orElseThrow(
              () ->
                  PecfException.badOption(
                      "Another study is at work on %s. Wait until it has ended, or name another"
                          + " folder.",
                      folder));
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /** Report a file or folder that cannot be written. */
  static PecfException cannotWrite(Path file, IOException e) {
    return PecfException.resources(
            "Cannot write %s (%s). Check its folder.", file, FileProblem.reason(e))
        .causedBy(e);
  }
}
