package org.pecf.plugin.loaders.text;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The text of a file in UTF-16 as UTF-8, with its byte order mark if it has one. */
final class Utf16 extends InputStream {
  private static final int LETTERS = 1 << 13;

  private final Reader reader;
  private ByteArrayInputStream bytes = new ByteArrayInputStream(new byte[0]);

  /**
   * Create a stream.
   *
   * @param file the file, owned from now on
   * @param charset the order of its bytes
   */
  Utf16(InputStream file, Charset charset) {
    this.reader = new InputStreamReader(file, charset.newDecoder());
  }

  /**
   * Return the order of bytes of a text in UTF-16, which begins with a mark or with two ASCII
   * characters; empty for any other beginning.
   *
   * @param beginning the first four bytes, or all if there are fewer
   */
  static Optional<Charset> of(byte[] beginning) {
    if (beginning.length < 4) {
      return Optional.empty();
    }
    int first = (beginning[0] & 0xff) << 8 | beginning[1] & 0xff;
    int second = (beginning[2] & 0xff) << 8 | beginning[3] & 0xff;
    if (first == 0xfeff || ascii(first) && ascii(second)) {
      return Optional.of(StandardCharsets.UTF_16BE);
    }
    if (first == 0xfffe && second != 0 || ascii(swapped(first)) && ascii(swapped(second))) {
      return Optional.of(StandardCharsets.UTF_16LE);
    }
    return Optional.empty();
  }

  private static int swapped(int unit) {
    return (unit & 0xff) << 8 | unit >> 8;
  }

  private static boolean ascii(int unit) {
    return unit >= '\t' && unit < 0x7f;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    while (bytes.available() == 0) {
      char[] letters = new char[LETTERS + 1];
      int count = reader.read(letters, 0, LETTERS);
      if (count < 0) {
        return -1;
      }
      // The decoder lets no half of a pair stand alone.
      if (Character.isHighSurrogate(letters[count - 1])) {
        letters[count++] = (char) reader.read();
      }
      bytes =
          new ByteArrayInputStream(new String(letters, 0, count).getBytes(StandardCharsets.UTF_8));
    }
    return bytes.read(target, from, length);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
