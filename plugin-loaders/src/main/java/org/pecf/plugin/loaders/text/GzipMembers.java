package org.pecf.plugin.loaders.text;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * The text of a gzip file, which has one member or several, one after the other.
 *
 * <p>Unlike the JDK's stream, this one does not take anything it cannot read for the end of the
 * file: only another member may follow a member. And it ends with {@link TooLarge} when the text is
 * many times larger than ratings can be, because a small file could keep a loader busy for days.
 */
final class GzipMembers extends InflaterInputStream {
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

  private final CRC32 checksum = new CRC32();
  private final long mostBytes;
  private long bytes;
  private boolean finished;

  /**
   * Open the first member.
   *
   * @param file the file, closed with this
   * @param bufferBytes the number of bytes to read from it at a time
   * @param mostBytes the limit to the size of the text
   * @throws IOException if the file does not begin with one
   */
  GzipMembers(InputStream file, int bufferBytes, long mostBytes) throws IOException {
    super(file, new Inflater(true), bufferBytes);
    this.mostBytes = mostBytes;
    try {
      if (!header(file.read(), new DataInputStream(file))) {
        throw new ZipException("it does not begin as one");
      }
    } catch (IOException | RuntimeException e) {
      inf.end();
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
  public int read(byte[] target, int offset, int length) throws IOException {
    while (!finished) {
      int count = super.read(target, offset, length);
      if (count >= 0) {
        checksum.update(target, offset, count);
        bytes += count;
        if (bytes > mostBytes) {
          throw new TooLarge();
        }
        return count;
      }
      endMember();
    }
    return -1;
  }

  private void endMember() throws IOException {
    if (!inf.finished()) {
      throw new ZipException("it needs a dictionary");
    }
    int unpacked = inf.getRemaining();
    ByteArrayInputStream unused = new ByteArrayInputStream(buf, len - unpacked, unpacked);
    DataInputStream rest = new DataInputStream(new SequenceInputStream(unused, in));
    int sum = Integer.reverseBytes(rest.readInt());
    int length = Integer.reverseBytes(rest.readInt());
    if (sum != (int) checksum.getValue() || length != (int) inf.getBytesWritten()) {
      throw new ZipException("its checksum does not match its content");
    }
    int next = rest.read();
    if (next < 0) {
      finished = true;
      return;
    }
    if (!header(next, rest)) {
      throw new ZipException("something that is not gzip follows its end");
    }
    inf.reset();
    checksum.reset();
    inf.setInput(buf, len - unused.available(), unused.available());
  }

  /**
   * Pass over the header of a member.
   *
   * @return whether there is one
   */
  private static boolean header(int first, DataInputStream rest) throws IOException {
    if (first != FIRST_BYTE || rest.read() != SECOND_BYTE) {
      return false;
    }
    if (rest.readUnsignedByte() != METHOD_DEFLATE) {
      throw new ZipException("it is packed by an unknown method");
    }
    int flags = rest.readUnsignedByte();
    // The time of packing, the level and the operating system.
    rest.skipNBytes(6);
    if ((flags & FLAG_EXTRA) != 0) {
      rest.skipNBytes(Short.toUnsignedInt(Short.reverseBytes(rest.readShort())));
    }
    if ((flags & FLAG_NAME) != 0) {
      skipText(rest);
    }
    if ((flags & FLAG_COMMENT) != 0) {
      skipText(rest);
    }
    if ((flags & FLAG_CHECKSUM) != 0) {
      rest.skipNBytes(2);
    }
    return true;
  }

  private static void skipText(DataInputStream rest) throws IOException {
    while (rest.readUnsignedByte() != 0) {}
  }

  @Override
  public void close() throws IOException {
    finished = true;
    inf.end();
    super.close();
  }
}
