package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pecf.api.run.RunContext;

/**
 * The lines of files in chunks, which threads take in order, and the first failure among them.
 *
 * <p>Only the taking is sequential: a packed file is unpacked by one thread at a time while the
 * others parse.
 */
final class ChunkSource implements AutoCloseable {
  private static final int LONGEST_LINE = 1 << 24;

  /** A file copies through memory of its own, which stays in the nearest cache if it is small. */
  private static final int PIECE_BYTES = 1 << 16;

  private final Iterator<TextFile> files;
  private final int chunkBytes;
  private final Function<Chunk, OptionalLong> after;

  /** The file that is being read; null between files. */
  private @Nullable Open open;

  /** The bytes read behind the last whole line that was taken. */
  private byte[] rest = {};

  /** The position in the text of the rest. */
  private long position;

  private long line;
  private OptionalLong before = OptionalLong.empty();
  private long ordinal;

  private long failedOrdinal = Long.MAX_VALUE;
  private @Nullable Throwable failure;

  /**
   * Create a source of which nothing was taken.
   *
   * @param chunkBytes the approximate number of bytes of a chunk
   * @param after gives the number that a chunk leaves to the next
   */
  ChunkSource(List<TextFile> files, int chunkBytes, Function<Chunk, OptionalLong> after) {
    this.files = files.iterator();
    this.chunkBytes = chunkBytes;
    this.after = after;
  }

  /** Take chunks until none is left or one has failed. Each thread calls this once. */
  void work(Consumer<Chunk> consumer, RunContext context) {
    Chunk chunk = next(new byte[chunkBytes + Digits.PADDING]);
    while (chunk != null) {
      try {
        context.cancellation().check();
        consumer.accept(chunk);
      } catch (RuntimeException | Error e) {
        fail(chunk.ordinal(), e);
      }
      chunk = next(chunk.bytes());
    }
  }

  /** Throw the failure of the first failing chunk, if one failed; all threads have returned. */
  synchronized void end() {
    if (failure instanceof RuntimeException problem) {
      throw problem;
    }
    if (failure instanceof Error problem) {
      throw problem;
    }
  }

  private synchronized void fail(long failing, Throwable problem) {
    if (failing < failedOrdinal) {
      failedOrdinal = failing;
      failure = problem;
    }
  }

  /**
   * Take the next lines.
   *
   * @param buffer memory that the chunk may use. Modified.
   * @return the lines, or null if none are left or a chunk has failed
   */
  private synchronized @Nullable Chunk next(byte[] buffer) {
    try {
      while (failure == null && (open != null || files.hasNext())) {
        if (open == null) {
          open = Open.of(files.next());
          position = 0;
          line = 1;
          before = OptionalLong.empty();
        }
        Chunk chunk = read(open, buffer);
        if (chunk != null) {
          before = after.apply(chunk);
          ordinal++;
          return chunk;
        }
        close();
      }
    } catch (RuntimeException | Error e) {
      fail(ordinal, e);
    }
    return null;
  }

  private @Nullable Chunk read(Open source, byte[] buffer) {
    byte[] bytes = buffer;
    int length = 0;
    int wanted = rest.length + chunkBytes;
    int end = 0;
    boolean finished = false;
    while (end == 0 && !finished) {
      bytes = bytes.length < wanted + Digits.PADDING ? grown(bytes, wanted) : bytes;
      if (length == 0) {
        System.arraycopy(rest, 0, bytes, 0, rest.length);
        length = rest.length;
      }
      int read = source.read(bytes, length, wanted - length, position);
      finished = read < wanted - length;
      end = afterLastLineFeed(bytes, length, length + read);
      length += read;
      if (end == 0 && length > LONGEST_LINE) {
        throw new Chunk(source.file, bytes, 0, length, line, ordinal, before)
            .problem(
                0,
                "a line is longer than %d MiB. Name a text file of ratings whose lines end in line"
                    + " feeds.",
                LONGEST_LINE >> 20);
      }
      wanted = 2 * wanted;
    }
    if (finished) {
      if (length == 0) {
        return null;
      }
      if (bytes[length - 1] != '\n') {
        bytes[length++] = '\n';
      }
      end = length;
    }
    return take(source.file, bytes, end, length);
  }

  /** Cut the lines before an end from the bytes read, and keep the rest. */
  private Chunk take(TextFile file, byte[] bytes, int end, int length) {
    int mark = position == 0 ? TextFile.markLength(bytes, end) : 0;
    int from = (int) Math.min(end, Math.max(mark, file.start() - position));
    long first = line + Digits.lineFeeds(bytes, 0, from);
    rest = Arrays.copyOfRange(bytes, end, length);
    position += end;
    line = first + Digits.lineFeeds(bytes, from, end);
    return new Chunk(file, bytes, from, end, first, ordinal, before);
  }

  private static byte[] grown(byte[] bytes, int wanted) {
    return Arrays.copyOf(bytes, wanted + Digits.PADDING);
  }

  /** Return the index after the last line feed of a range, or 0 if it has none. */
  private static int afterLastLineFeed(byte[] bytes, int from, int to) {
    for (int i = to; i > from; i--) {
      if (bytes[i - 1] == '\n') {
        return i;
      }
    }
    return 0;
  }

  /** Close the file that is being read. */
  @Override
  public synchronized void close() {
    if (open != null) {
      open.close();
      open = null;
      rest = new byte[0];
    }
  }

  /** A file and its text. */
  private record Open(TextFile file, InputStream text) {
    static Open of(TextFile file) {
      try {
        return new Open(file, file.stream());
      } catch (IOException e) {
        throw file.unreadable(e);
      }
    }

    /** Read as many bytes as there are; the position is that of the first in the text. */
    int read(byte[] bytes, int from, int count, long position) {
      try {
        int read = 0;
        while (read < count) {
          int piece = text.read(bytes, from + read, Math.min(PIECE_BYTES, count - read));
          if (piece < 0) {
            break;
          }
          read += piece;
        }
        if (read < count && !file.packed() && position + from + read < file.size()) {
          throw new IOException("it became shorter while it was read");
        }
        return read;
      } catch (IOException e) {
        throw file.unreadable(e);
      }
    }

    void close() {
      try {
        text.close();
      } catch (IOException e) {
        throw file.unreadable(e);
      }
    }
  }
}
