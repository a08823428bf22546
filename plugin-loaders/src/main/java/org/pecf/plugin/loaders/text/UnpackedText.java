package org.pecf.plugin.loaders.text;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Text that is unpacked as it is read, as long as it is not many times larger than text packs to: a
 * small file could keep a loader busy for days.
 */
final class UnpackedText extends FilterInputStream {
  private static final int MOST_TIMES = 200;

  /** Up to here any file may unpack. */
  private static final long FREE_BYTES = 64L << 20;

  private final long most;
  private long read;

  /** Say that a file unpacks to more than ratings do. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLarge() {
      super(
          "unpacks to more than "
              + MOST_TIMES
              + " times its size, as no ratings do. Check that it is the right file; if it is,"
              + " unpack it yourself.");
    }
  }

  /**
   * Bound what is unpacked.
   *
   * @param text what is unpacked
   * @param packedBytes the size of the file
   */
  UnpackedText(InputStream text, long packedBytes) {
    super(text);
    most = Math.max(FREE_BYTES, MOST_TIMES * packedBytes);
  }

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

  private void count(int bytes) throws TooLarge {
    read += bytes;
    if (read > most) {
      throw new TooLarge();
    }
  }
}
