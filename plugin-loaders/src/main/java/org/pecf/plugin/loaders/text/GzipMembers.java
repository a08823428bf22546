package org.pecf.plugin.loaders.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * The text of a gzip file: of one member, or of several one after the other.
 *
 * <p>Unlike the stream of the JDK it does not take for the end of the file what it cannot read:
 * whatever follows a member must be another one.
 */
final class GzipMembers extends InputStream {
  private static final int FIRST_BYTE = 0x1f;
  private static final int SECOND_BYTE = 0x8b;
  private static final int METHOD_DEFLATE = 8;
  private static final int FLAG_CHECKSUM = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;

  private final InputStream file;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] single = new byte[1];

  /** What was read of the file; from the position on it is still to be unpacked. */
  private final byte[] packed;

  private int position;
  private int limit;
  private boolean finished;

  /**
   * Open the first member.
   *
   * @param file what is packed, closed with this
   * @throws IOException if the file does not begin with one
   */
  GzipMembers(InputStream file, int bufferBytes) throws IOException {
    this.file = file;
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
    // When it was packed, how well and on what system.
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

  /** Read a number of 32 bits, the lowest first. */
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

  /** Return whether a byte of the file is left, and have it at the position. */
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
