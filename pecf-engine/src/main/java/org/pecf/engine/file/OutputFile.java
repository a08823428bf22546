package org.pecf.engine.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/**
 * A file for results: it receives all of them, or it stays as it was.
 *
 * <p>A plain file is written beside its place, under a hidden name, and gets its name at the end in
 * one step. Links are followed: their target is written, and they stay. A device or a named pipe is
 * written to and never replaced. Folders are not created.
 */
public final class OutputFile {
  private static final String SYSTEM_FILES = "/proc";

  private final Path named;
  private final Path place;
  private final boolean special;

  private OutputFile(Path named, Path place, boolean special) {
    this.named = named;
    this.place = place;
    this.special = special;
  }

  /**
   * Return the file that a name stands for; nothing is written yet.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if it is of a kind that cannot be
   *     written
   */
  public static OutputFile at(Path named) {
    try {
      BasicFileAttributes found = Files.readAttributes(named, BasicFileAttributes.class);
      if (found.isDirectory()) {
        throw refused(named, "it is a folder. Name a file in it");
      }
      if (found.isOther()) {
        return new OutputFile(named, named, true);
      }
      if (Links.pass(named, Path.of(SYSTEM_FILES))) {
        // Another program, or the standard output of this one, has its own position in it.
        throw refused(named, "it leads to a file that is open already. Name that file itself");
      }
      return new OutputFile(named, named.toRealPath(), false);
    } catch (NoSuchFileException e) {
      return new OutputFile(named, followed(named), false);
    } catch (IOException e) {
      throw refused(
          named, "it cannot be inspected (" + FileProblem.reason(e) + "). Name another file");
    }
  }

  private static Path followed(Path named) {
    try {
      Path place = Links.follow(named);
      if (place.getFileName() == null) {
        throw refused(named, "it is not a file. Name one");
      }
      return place;
    } catch (IOException e) {
      throw refused(
          named, "its links lead nowhere (" + FileProblem.reason(e) + "). Name another file");
    }
  }

  /** Return whether a plain file exists that would be replaced. */
  public boolean replaces() {
    return !special && Files.exists(place, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Check that it can be written, before any work is done for it; the check leaves no trace.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if it cannot
   */
  public void check() {
    if ((special || replaces()) && !Files.isWritable(place)) {
      throw refused(named, "you do not have the right to write to it. Name another file");
    }
    if (special) {
      // The reader of a pipe would take a trial for the end of the data.
      return;
    }
    Path folder = Objects.requireNonNull(place.getParent());
    if (!Files.isDirectory(folder)) {
      throw refused(
          named,
          Files.exists(folder)
              ? folder + " is not a folder. Name a file in a folder"
              : "there is no folder " + folder + ". Create it, or name a file in another");
    }
    try {
      new Draft().close();
    } catch (IOException e) {
      throw refused(
          named,
          "nothing can be written to its folder (" + FileProblem.reason(e) + "). Name another");
    }
  }

  /** Begin to write; a draft that is not completed leaves no plain file. */
  public Draft begin() throws IOException {
    return new Draft();
  }

  /**
   * Write a whole text.
   *
   * @throws PecfException with {@link ErrorCode#RESOURCES} if that fails
   */
  public void write(String text) {
    try (Draft draft = begin()) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        draft.channel().write(bytes);
      }
      draft.complete();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Return the report of a failure to write. */
  public PecfException failed(IOException cause) {
    return PecfException.resources(
            "Cannot write %s (%s). Check that its folder exists, can be written to and has room.",
            named, FileProblem.reason(cause))
        .causedBy(cause);
  }

  private static PecfException refused(Path named, String reason) {
    return PecfException.badOption("Cannot write %s: %s.", named, reason);
  }

  @Override
  public String toString() {
    return named.toString();
  }

  /** The content written so far. */
  public final class Draft implements AutoCloseable {
    private final Optional<HiddenDraft> reserved;
    private final Path file;
    private final FileChannel channel;

    private Draft() throws IOException {
      if (special) {
        reserved = Optional.empty();
        file = place;
        channel = FileChannel.open(place, StandardOpenOption.WRITE);
        return;
      }
      HiddenDraft draft = HiddenDraft.beside(place);
      try {
        reserved = Optional.of(draft);
        file = draft.path();
        // Never an existing file: in a shared folder it may be a link that another user made.
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      } catch (IOException | RuntimeException e) {
        draft.close();
        throw e;
      }
    }

    /** Return the channel to write to, from the beginning on. */
    public FileChannel channel() {
      return channel;
    }

    /**
     * Return the file that holds the content, for writers that open files themselves; it must be
     * opened as it is, not replaced.
     *
     * @throws PecfException with {@link ErrorCode#BAD_OPTION} for a device or pipe, which only the
     *     channel writes to
     */
    public Path path() {
      if (special) {
        throw refused(named, "it is not a plain file. Name one");
      }
      return file;
    }

    /** Move the content into its place. */
    public void complete() throws IOException {
      if (!special) {
        channel.force(true);
      }
      channel.close();
      if (!special) {
        if (replaces() && place.getFileSystem().supportedFileAttributeViews().contains("posix")) {
          Files.setPosixFilePermissions(file, Files.getPosixFilePermissions(place));
        }
        move();
      }
    }

    private void move() throws IOException {
      try {
        Files.move(
            file, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException | FileAlreadyExistsException e) {
        Files.move(file, place, StandardCopyOption.REPLACE_EXISTING);
      }
    }

    /** Delete the content unless it was completed. */
    @Override
    public void close() throws IOException {
      channel.close();
      if (reserved.isPresent()) {
        reserved.get().close();
      }
    }
  }
}
