package org.pecf.plugin.loaders.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The text of a file in UTF-16, as UTF-8 and without a byte order mark. */
final class Utf16 extends InputStream {
  private static final int LETTERS = 1 << 13;
  private static final int BEGINNING = 4;

  private final Reader reader;
  private final char[] letters = new char[LETTERS];
  private byte[] bytes = {};
  private int next;

  /** The first half of a pair that the letters read so far end with; 0 for none. */
  private char half;

  private boolean begun;

  /**
   * Create a stream.
   *
   * @param file the file, owned from now on
   * @param charset the order of its bytes
   */
  Utf16(InputStream file, Charset charset) {
    this.reader = new InputStreamReader(file, charset.newDecoder());
  }

  /** Return the order of bytes if a stream begins as UTF-16; its place stays. */
  static Optional<Charset> of(InputStream stream) throws IOException {
    stream.mark(BEGINNING);
    byte[] beginning = stream.readNBytes(BEGINNING);
    stream.reset();
    return of(beginning);
  }

  /**
   * Return the order of bytes of a text in UTF-16, which begins with a mark or with two ASCII
   * characters; empty for any other beginning.
   */
  static Optional<Charset> of(byte[] beginning) {
    if (beginning.length < BEGINNING) {
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
    return fill() ? bytes[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, bytes.length - next);
    System.arraycopy(bytes, next, target, from, count);
    next += count;
    return count;
  }

  /** Have bytes to give; return whether there are any. */
  private boolean fill() throws IOException {
    while (next == bytes.length) {
      int from = half == 0 ? 0 : 1;
      letters[0] = half;
      int count = reader.read(letters, from, LETTERS - from);
      if (count < 0) {
        return false;
      }
      int end = from + count;
      half = Character.isHighSurrogate(letters[end - 1]) ? letters[--end] : 0;
      int start = !begun && end > 0 && letters[0] == '\ufeff' ? 1 : 0;
      begun |= end > 0;
      bytes = new String(letters, start, end - start).getBytes(StandardCharsets.UTF_8);
      next = 0;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
