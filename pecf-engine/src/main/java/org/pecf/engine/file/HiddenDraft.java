package org.pecf.engine.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A hidden name beside the place of a file or folder, for the content that is to appear there all
 * at once. It belongs to this process as long as it is open, by a lock file beside it.
 *
 * <p>A process that is killed leaves its drafts. They are deleted when anything else is written to
 * the same folder: those whose lock nobody holds, and whose owner is this user.
 */
public final class HiddenDraft implements AutoCloseable {
  private static final String WRITING = ".writing-";
  private static final String LOCK = ".lock";
  private static final Pattern LOCK_NAME =
      Pattern.compile("\\..+\\.writing-([0-9a-f]+)-[0-9a-f]+\\.lock");

  /** The mark of this process in names; the number of a process may be that of an earlier one. */
  private static final String PROCESS =
      Long.toHexString(System.nanoTime() ^ ProcessHandle.current().pid() << Integer.SIZE);

  private final Path path;
  private final FileLocking lock;

  private HiddenDraft(Path path, FileLocking lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Reserve a name beside a place, and delete what killed processes left in the same folder. */
  public static HiddenDraft beside(Path place) throws IOException {
    String unique =
        Long.toHexString(System.nanoTime()) + Long.toHexString(Thread.currentThread().getId());
    Path path = place.resolveSibling("." + place.getFileName() + WRITING + PROCESS + "-" + unique);
    FileLocking lock =
        FileLocking.tryLock(lockOf(path))
            .orElseThrow(() -> new FileAlreadyExistsException(lockOf(path).toString()));
    HiddenDraft draft = new HiddenDraft(path, lock);
    draft.collect();
    return draft;
  }

  private static Path lockOf(Path path) {
    return path.resolveSibling(path.getFileName() + LOCK);
  }

  /** Return the name, which nothing has yet. */
  public Path path() {
    return path;
  }

  private void collect() {
    Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(folder, ".*" + WRITING + "*")) {
      UserPrincipal user = Files.getOwner(lockOf(path), LinkOption.NOFOLLOW_LINKS);
      for (Path file : locks) {
        Matcher name = LOCK_NAME.matcher(file.getFileName().toString());
        // To open a lock file of this process once more and close it would release its lock.
        if (name.matches() && !name.group(1).equals(PROCESS)) {
          collect(file, user);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Tidying up is no reason to fail.
    }
  }

  private static void collect(Path file, UserPrincipal user) {
    String name = file.getFileName().toString();
    Path draft = file.resolveSibling(name.substring(0, name.length() - LOCK.length()));
    try {
      if (!isOf(user, file) || (exists(draft) && !isOf(user, draft))) {
        return;
      }
      Optional<FileLocking> held = FileLocking.tryLock(file);
      if (held.isPresent()) {
        try {
          delete(draft);
        } finally {
          held.get().close();
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another process was faster, or its system keeps files that are in use.
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static boolean isOf(UserPrincipal user, Path path) throws IOException {
    return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(user);
  }

  /** Delete a file, or a folder with all that is in it; of links, the links. */
  public static void delete(Path path) throws IOException {
    if (!exists(path)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(path)) {
      for (Path one : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Delete what is still under the name, and give the name back. */
  @Override
  public void close() throws IOException {
    try {
      delete(path);
    } finally {
      lock.close();
    }
  }
}
