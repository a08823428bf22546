package org.pecf.plugin.loaders.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The text of a gzip file, which has one member or several, one after the other.
 *
 * <p>Unlike the JDK's stream, this one does not take anything it cannot read for the end of the
 * file: only another member may follow a member. And it ends with {@link TooLarge} when the text is
 * many times larger than ratings can be, because a small file could keep a loader busy for days.
 */
final class GzipMembers extends InputStream {
  private static final int FIRST_BYTE = 0x1f;
  private static final int SECOND_BYTE = 0x8b;
  private static final int METHOD_DEFLATE = 8;
  private static final int FLAG_CHECKSUM = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;

  /** The largest ratio of the text to the file. */
  private static final int MOST_TIMES = 200;

  /** The size up to which a text may have any ratio. */
  private static final long FREE_BYTES = 64L << 20;

  private final InputStream file;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] single = new byte[1];

  /** The bytes read from the file; those from the position on are still to be unpacked. */
  private final byte[] packed;

  private int position;
  private int limit;
  private boolean finished;
  private final long mostBytes;
  private long bytes;

  /**
   * Open the first member.
   *
   * @param file the file, closed with this
   * @param bufferBytes the number of bytes to read from it at a time
   * @param mostBytes the limit to the size of the text
   * @throws IOException if the file does not begin with one
   */
  GzipMembers(InputStream file, int bufferBytes, long mostBytes) throws IOException {
    this.file = file;
    this.mostBytes = mostBytes;
    this.packed = new byte[bufferBytes];
    try {
      if (!header()) {
        throw new ZipException("it does not begin as one");
      }
      inflater.setInput(packed, position, limit - position);
    } catch (IOException | RuntimeException e) {
      inflater.end();
      throw e;
    }
  }

  /** The report that a file unpacks to more than ratings do. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLarge() {
      super(
          "unpacks to more than %d times its size, as no ratings do. Check that it is the right file; if it is, unpack it yourself."
              .formatted(MOST_TIMES));
    }
  }

  /** Return the limit to the text of a file of the given size. */
  static long limit(long packedBytes) {
    return Math.max(FREE_BYTES, MOST_TIMES * packedBytes);
  }

  @Override
  public int read() throws IOException {
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!finished) {
      int count = inflate(target, offset, length);
      if (count > 0) {
        checksum.update(target, offset, count);
        bytes += count;
        if (bytes > mostBytes) {
          throw new TooLarge();
        }
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("it needs a dictionary");
      } else {
        require();
        inflater.setInput(packed, position, limit - position);
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws ZipException {
    try {
      int count = inflater.inflate(target, offset, length);
      position = limit - inflater.getRemaining();
      return count;
    } catch (DataFormatException e) {
      throw new ZipException(e.getMessage() == null ? "it cannot be unpacked" : e.getMessage());
    }
  }

  private void endMember() throws IOException {
    long length = inflater.getBytesWritten() & 0xffffffffL;
    if (number() != checksum.getValue() || number() != length) {
      throw new ZipException("its checksum does not match its content");
    }
    inflater.reset();
    checksum.reset();
    if (!more()) {
      finished = true;
    } else if (!header()) {
      throw new ZipException("something that is not gzip follows its end");
    }
    inflater.setInput(packed, position, limit - position);
  }

  /**
   * Pass over the header of a member.
   *
   * @return whether there is one
   */
  private boolean header() throws IOException {
    if (!more() || next() != FIRST_BYTE || !more() || next() != SECOND_BYTE) {
      return false;
    }
    if (next() != METHOD_DEFLATE) {
      throw new ZipException("it is packed by an unknown method");
    }
    int flags = next();
    // The time of packing, the level and the operating system.
    skip(6);
    if ((flags & FLAG_EXTRA) != 0) {
      skip(next() | next() << Byte.SIZE);
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText();
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText();
    }
    if ((flags & FLAG_CHECKSUM) != 0) {
      skip(2);
    }
    return true;
  }

  private void skip(int count) throws IOException {
    for (int k = 0; k < count; k++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {}
  }

  /** Read a number of 32 bits, lowest byte first. */
  private long number() throws IOException {
    return next() | next() << 8 | next() << 16 | (long) next() << 24;
  }

  private int next() throws IOException {
    require();
    return packed[position++] & 0xff;
  }

  private void require() throws IOException {
    if (!more()) {
      throw new EOFException("a member is not complete");
    }
  }

  /** Return whether a byte of the file is left; if so, it is at the position. */
  private boolean more() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, file.read(packed));
    }
    return position < limit;
  }

  @Override
  public void close() throws IOException {
    finished = true;
    inflater.end();
    file.close();
  }
}
