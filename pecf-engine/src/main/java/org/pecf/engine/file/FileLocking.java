package org.pecf.engine.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file that one process at a time may hold, to have something else to itself. A process that is
 * killed holds it no longer; the file itself may stay.
 */
public final class FileLocking implements AutoCloseable {
  private static final long MOST_SIZE = 0xffff;

  private final Path file;
  private final FileChannel channel;

  private FileLocking(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Lock a file, which is created if it does not exist.
   *
   * @return the lock, or nothing if somebody else holds it, in this process or another
   */
  public static Optional<FileLocking> tryLock(Path file) throws IOException {
    while (true) {
      FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      @Nullable FileLock lock = null;
      try {
        lock = channel.tryLock();
        if (lock == null) {
          channel.close();
          return Optional.empty();
        }
        if (isAt(file, channel)) {
          return Optional.of(new FileLocking(file, channel));
        }
        // Whoever held it deleted it between the two calls: this is no longer the file.
        channel.close();
      } catch (OverlappingFileLockException e) {
        channel.close();
        return Optional.empty();
      } catch (IOException | RuntimeException | Error e) {
        // The disk may be full; a file that this call locked belongs to nobody else.
        if (lock != null) {
          Files.deleteIfExists(file);
        }
        channel.close();
        throw e;
      }
    }
  }

  /**
   * Return whether a path still leads to the file that is open, by a size that is given to it: to
   * open the file once more and close it would release it.
   */
  private static boolean isAt(Path file, FileChannel channel) throws IOException {
    long size = 1 + (System.nanoTime() & MOST_SIZE);
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
    try {
      return Files.size(file) == size;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Delete the file and then the folder that it is in, and release it. */
  public void deleteWith(Path folder) throws IOException {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    } finally {
      close();
    }
  }

  /** Release the file, which is deleted. */
  @Override
  public void close() {
    try {
      if (channel.isOpen()) {
        Files.deleteIfExists(file);
        channel.close();
      }
    } catch (IOException e) {
      // The end of the process releases it.
    }
  }
}
