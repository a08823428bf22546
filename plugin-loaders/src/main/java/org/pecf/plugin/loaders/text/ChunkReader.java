package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of whole lines into a buffer that is reused.
 *
 * <p>A chunk is valid until the next one is read.
 */
final class ChunkReader implements AutoCloseable {
  private static final int LONGEST_LINE = 1 << 24;
  private static final int OVERLAP = 1 << 12;
  private static final int READ_BYTES = 1 << 16;

  private byte[] buffer = {};

  /** The file of the last segment, kept open for the next one. */
  private @Nullable TextFile open;

  private @Nullable FileChannel channel;

  /** Read the lines that begin in a segment. */
  Chunk read(Segment segment) throws IOException {
    TextFile file = segment.file();
    // The byte before the segment tells whether a line begins exactly at its start.
    long offset = segment.atLine() ? segment.from() : segment.from() - 1;
    int ours = (int) (segment.to() - offset);
    FileChannel content = open(file);
    int length = 0;
    int last = -1;
    while (last < 0) {
      int wanted = (int) Math.min(file.size() - offset, length == 0 ? ours + OVERLAP : 2L * length);
      fill(content, offset, length, wanted);
      int searched = Math.max(length, ours - 1);
      length = wanted;
      last = indexOfLineFeed(searched, length);
      if (last < 0 && offset + length == file.size()) {
        buffer[length] = '\n';
        last = length;
      }
      if (last < 0 && length - ours > LONGEST_LINE) {
        throw tooLong(offset + lineStart(ours - 1));
      }
    }
    int from = segment.atLine() ? 0 : indexOfLineFeed(0, last + 1) + 1;
    // If a line begins before the segment and ends behind it, no line begins in it.
    return new Chunk(file, buffer, from, offset + from < segment.to() ? last + 1 : from, offset);
  }

  private FileChannel open(TextFile file) throws IOException {
    if (channel == null || open != file) {
      close();
      channel = file.channel();
      open = file;
    }
    return channel;
  }

  @Override
  public void close() {
    if (channel == null || open == null) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw open.unreadable(e);
    } finally {
      channel = null;
    }
  }

  /**
   * Read the next lines of a stream.
   *
   * @param previous the previous chunk, whose unread rest comes first; null for the first chunk
   * @return the lines, or null if none are left
   */
  @Nullable Rest next(TextFile file, InputStream stream, @Nullable Rest previous, int chunkBytes)
      throws IOException {
    long offset = 0;
    int length = 0;
    if (previous != null) {
      Chunk before = previous.chunk();
      offset = before.offset() + before.to();
      length = previous.end() - before.to();
      if (previous.finished()) {
        return null;
      }
      System.arraycopy(buffer, before.to(), buffer, 0, length);
    }
    int target = length + chunkBytes;
    while (true) {
      grow(target);
      int read = stream.readNBytes(buffer, length, target - length);
      boolean finished = read < target - length;
      int searchedFrom = length;
      length += read;
      if (finished) {
        if (length == 0) {
          return null;
        }
        int end = length;
        if (buffer[length - 1] != '\n') {
          buffer[end++] = '\n';
        }
        return new Rest(chunk(file, offset, end), end, true);
      }
      for (int i = length - 1; i >= searchedFrom; i--) {
        if (buffer[i] == '\n') {
          return new Rest(chunk(file, offset, i + 1), length, false);
        }
      }
      if (length > LONGEST_LINE) {
        throw tooLong(offset);
      }
      target = 2 * Math.max(target, length);
    }
  }

  /** A chunk of a stream, and the end of the bytes that were read behind it. */
  record Rest(Chunk chunk, int end, boolean finished) {}

  private Chunk chunk(TextFile file, long offset, int to) {
    int from = (int) Math.min(to, Math.max(0, file.start() - offset));
    return new Chunk(file, buffer, from, to, offset);
  }

  private void fill(FileChannel content, long offset, int from, int to) throws IOException {
    grow(to);
    ByteBuffer target = ByteBuffer.wrap(buffer);
    target.position(from);
    while (target.position() < to) {
      // The channel reads into memory of its own first; small reads keep that in the nearest cache.
      target.limit(Math.min(to, target.position() + READ_BYTES));
      if (content.read(target, offset + target.position()) < 0) {
        throw new IOException("it became shorter while it was read");
      }
    }
  }

  private void grow(int length) {
    if (buffer.length < length + Digits.PADDING) {
      buffer = Arrays.copyOf(buffer, length + Digits.PADDING);
    }
  }

  private int indexOfLineFeed(int from, int to) {
    for (int i = from; i < to; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private int lineStart(int index) {
    int start = index;
    while (start > 0 && buffer[start - 1] != '\n') {
      start--;
    }
    return start;
  }

  private static TextProblem tooLong(long position) {
    return new TextProblem(
        position,
        "a line is longer than %d MiB. Name a text file of ratings whose lines end in line feeds."
            .formatted(LONGEST_LINE >> 20));
  }
}
