package org.pecf.plugin.loaders.text;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipException;
import org.pecf.api.PecfException;

/**
 * A file of text with lines of ratings, which may be packed with gzip or be written in UTF-16, as
 * spreadsheets and Windows do: its first bytes tell.
 *
 * @param path the path of the file
 * @param size the number of bytes on disk
 */
public record TextFile(Path path, long size) {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int BEGINNING = 4;

  /** The number of bytes that are read for a message. */
  private static final int SHOWN_TEXT = 1 << 16;

  /**
   * Open a file.
   *
   * @throws PecfException if it is missing, no file, unreadable or empty
   */
  public static TextFile open(Path path) {
    if (!Files.exists(path)) {
      throw PecfException.badData(
          "%s: no such file or folder. Check the location of the data.", path);
    }
    if (Files.isDirectory(path)) {
      throw PecfException.badData(
          "%s is a folder, but a file is needed. Name the file in it.", path);
    }
    try (InputStream stream = Files.newInputStream(path)) {
      byte[] beginning = stream.readNBytes(BEGINNING);
      if (beginning.length == 0) {
        throw PecfException.badData("%s is empty. Name a file that holds ratings.", path);
      }
      if (begins(beginning, 'P', 'K', 3) && beginning.length == BEGINNING) {
        throw PecfException.badData(
            "%s is a zip archive. Unpack it and name the file of ratings in it.", path);
      }
      return new TextFile(path, Files.size(path));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Open the text, unpacked, in UTF-8 and without a byte order mark. */
  public InputStream stream() throws IOException {
    InputStream stream = new Whole(Files.newInputStream(path), size);
    try {
      stream = new BufferedInputStream(stream, BUFFER_BYTES);
      if (begins(beginning(stream), 0x1f, 0x8b)) {
        stream = new GzipMembers(stream, BUFFER_BYTES, GzipMembers.limit(size));
        stream = new BufferedInputStream(stream, BUFFER_BYTES);
      }
      Optional<Charset> charset = Utf16.of(beginning(stream));
      if (charset.isPresent()) {
        stream = new BufferedInputStream(new Utf16(stream, charset.get()));
      }
      if (begins(beginning(stream), 0xef, 0xbb, 0xbf)) {
        stream.skipNBytes(3);
      }
      return stream;
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** Return the first bytes of a stream, whose place stays. */
  private static byte[] beginning(InputStream stream) throws IOException {
    stream.mark(BEGINNING);
    byte[] beginning = stream.readNBytes(BEGINNING);
    stream.reset();
    return beginning;
  }

  private static boolean begins(byte[] bytes, int... mark) {
    boolean begins = bytes.length >= mark.length;
    for (int k = 0; begins && k < mark.length; k++) {
      begins = (bytes[k] & 0xff) == mark[k];
    }
    return begins;
  }

  /** The bytes on disk, which must be as many at the end as at the beginning. */
  private static final class Whole extends FilterInputStream {
    private long missing;

    Whole(InputStream file, long size) {
      super(file);
      this.missing = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      int count = super.read(target, from, length);
      missing -= Math.max(0, count);
      if (count < 0 && missing > 0) {
        throw new IOException("it became shorter while it was read");
      }
      return count;
    }
  }

  /**
   * Read the beginning of the text from a line on once more, for a message: its bytes as the
   * characters of ISO 8859-1.
   */
  String text(long line) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream(), StandardCharsets.ISO_8859_1))) {
      for (long before = 1; before < line; before++) {
        reader.readLine();
      }
      char[] text = new char[SHOWN_TEXT];
      return new String(text, 0, Math.max(0, reader.read(text)));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * Create the report of a problem: {@code path:line:column: message}.
   *
   * @param line the number of a line, from 1
   * @param text the text from this line on, as {@link #text} gives it
   * @param index where in it the problem is
   */
  PecfException problem(long line, String text, int index, String format, Object... arguments) {
    String before = text.substring(0, index);
    int start = before.lastIndexOf('\n') + 1;
    // All bytes of a character but its first begin with the bits 10.
    long column = 1 + before.chars().skip(start).filter(unit -> (unit & 0xc0) != 0x80).count();
    return PecfException.badData(
        "%s:%d:%d: %s",
        path,
        line + before.chars().filter(unit -> unit == '\n').count(),
        column,
        String.format(Locale.ROOT, format, arguments));
  }

  /** Report that the file cannot be read. */
  public PecfException unreadable(IOException cause) {
    return unreadable(path, cause);
  }

  private static PecfException unreadable(Path path, IOException cause) {
    if (cause instanceof CharacterCodingException) {
      return PecfException.badData(
              "%s begins as text in UTF-16, but is not such text to its end. Convert the file to"
                  + " UTF-8.",
              path)
          .causedBy(cause);
    }
    if (cause instanceof EOFException) {
      return PecfException.badData(
              "%s is a gzip file that ends too early. Fetch it again; the copy is incomplete.",
              path)
          .causedBy(cause);
    }
    if (cause instanceof GzipMembers.TooLarge) {
      return PecfException.badData("%s %s", path, cause.getMessage()).causedBy(cause);
    }
    if (cause instanceof ZipException) {
      return PecfException.badData(
              "%s is a damaged gzip file (%s). Fetch it again.", path, cause.getMessage())
          .causedBy(cause);
    }
    if (cause instanceof NoSuchFileException) {
      return PecfException.badData(
              "%s vanished while it was read. Make sure that nothing moves or deletes it, and try"
                  + " again.",
              path)
          .causedBy(cause);
    }
    if (cause instanceof AccessDeniedException) {
      return PecfException.badData("%s may not be read by this user. Check its permissions.", path)
          .causedBy(cause);
    }
    String reason = cause instanceof FileSystemException e ? e.getReason() : cause.getMessage();
    return PecfException.badData(
            "%s cannot be read%s. Check the file and its disk.",
            path, reason == null ? "" : ": " + reason)
        .causedBy(cause);
  }
}
