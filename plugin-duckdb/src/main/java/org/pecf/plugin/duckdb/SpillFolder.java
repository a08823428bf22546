package org.pecf.plugin.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A new folder in the temporary one, which only this user can enter, for the data that DuckDB does
 * not keep in memory.
 *
 * <p>A file in it stays locked as long as it is open. A killed process leaves its folder, which is
 * deleted when the next one is created: nobody holds its lock any more.
 */
final class SpillFolder implements AutoCloseable {
  private static final String PREFIX = "pecf-duckdb-";
  private static final String LOCK = "lock";

  /** The mark of this process in names. */
  private static final String PROCESS =
      PREFIX + Long.toHexString(System.nanoTime() ^ ProcessHandle.current().pid() << 32) + "-";

  private final Path path;
  private final FileChannel lock;

  private SpillFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Create a folder in another, and delete those that killed processes left there. */
  static SpillFolder in(Path temporaryFolder) throws IOException {
    Path path = Files.createTempDirectory(temporaryFolder, PROCESS);
    try {
      FileChannel lock =
          FileChannel.open(
              path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lock.lock();
      collect(temporaryFolder, Files.getOwner(path));
      return new SpillFolder(path, lock);
    } catch (IOException e) {
      delete(path);
      throw e;
    }
  }

  private static void collect(Path temporaryFolder, UserPrincipal user) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporaryFolder, PREFIX + "*")) {
      for (Path folder : folders) {
        // To open a lock of this process once more and close it would release it.
        if (!folder.getFileName().toString().startsWith(PROCESS)
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)
            && isLeft(folder)) {
          delete(folder);
        }
      }
    } catch (IOException | RuntimeException e) {
      // Tidying up is no reason to fail.
    }
  }

  /** Return whether nobody holds the lock of a folder; one without a lock is being created. */
  private static boolean isLeft(Path folder) {
    try (FileChannel channel =
        FileChannel.open(
            folder.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      return channel.tryLock() != null;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Return the folder. */
  Path path() {
    return path;
  }

  /** Delete the folder and everything in it, as far as possible. */
  @Override
  public void close() {
    delete(path);
    try {
      lock.close();
    } catch (IOException e) {
      // The end of the process closes it.
      return;
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // The rest is deleted with the next folder, or by the system.
      return;
    }
  }
}
