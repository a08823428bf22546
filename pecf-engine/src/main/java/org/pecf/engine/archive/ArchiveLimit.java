package org.pecf.engine.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A limit to the unpacked size of a jar or zip, so that a small file cannot fill memory or disk.
 *
 * <p>Entries may lie about their sizes, so the bytes that are read are counted, over all entries.
 */
public final class ArchiveLimit {
  private static final int MOST_TIMES = 100;

  /** The size that any archive may unpack to. */
  private static final long FREE_BYTES = 64L << 20;

  private static final long MOST_BYTES = 4L << 30;

  private final long most;
  private final String problem;
  private long read;

  private ArchiveLimit(long most, String problem) {
    this.most = most;
    this.problem = problem;
  }

  /** The report that an archive unpacks to more than any plugin does. */
  public static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLarge(String message) {
      super(message);
    }
  }

  /** Limit an archive by its own size. */
  public static ArchiveLimit of(Path archive) throws IOException {
    long times = MOST_TIMES * Files.size(archive);
    return times < MOST_BYTES
        ? new ArchiveLimit(
            Math.max(FREE_BYTES, times),
            "%s unpacks to more than %s times its size, as no plugin does"
                .formatted(archive.getFileName(), MOST_TIMES))
        : new ArchiveLimit(
            MOST_BYTES,
            "%s unpacks to more than %s MiB, as no plugin does"
                .formatted(archive.getFileName(), MOST_BYTES >> 20));
  }

  /**
   * Check the sizes that an archive states, without unpacking any of it.
   *
   * @throws TooLarge if their sum exceeds the limit
   * @throws IOException if it cannot be read
   */
  public static void check(Path archive) throws IOException {
    ArchiveLimit limit = of(archive);
    try (ZipFile file = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        limit.count(Math.max(0, entry.getSize()));
      }
    }
  }

  /**
   * Return the content of an entry, which fails with {@link TooLarge} once all entries that were
   * read exceed the limit.
   */
  public InputStream bounded(InputStream content) {
    return new FilterInputStream(content) {
      @Override
      public int read() throws IOException {
        int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        int bytes = super.read(target, offset, length);
        count(Math.max(0, bytes));
        return bytes;
      }
    };
  }

  private void count(long bytes) throws TooLarge {
    // A sum that overflows is too large as well.
    read += bytes;
    if (read > most || read < 0) {
      throw new TooLarge(problem);
    }
  }
}
