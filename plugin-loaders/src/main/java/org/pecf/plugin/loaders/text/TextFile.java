package org.pecf.plugin.loaders.text;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipException;
import org.pecf.api.PecfException;

/**
 * A file of text with lines of ratings, which may be packed with gzip or be written in UTF-16, as
 * spreadsheets and Windows do: its first bytes tell.
 *
 * <p>Positions count bytes of unpacked text in UTF-8.
 */
public final class TextFile {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final Path path;
  private final long size;
  private final boolean packed;
  private final long start;

  private TextFile(Path path, long size, boolean packed, long start) {
    this.path = path;
    this.size = size;
    this.packed = packed;
    this.start = start;
  }

  /**
   * Open a file whose lines of ratings start at its beginning.
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
      byte[] magic = stream.readNBytes(4);
      if (magic.length == 0) {
        throw PecfException.badData("%s is empty. Name a file that holds ratings.", path);
      }
      if (magic.length == 4 && magic[0] == 'P' && magic[1] == 'K' && magic[2] == 3) {
        throw PecfException.badData(
            "%s is a zip archive. Unpack it and name the file of ratings in it.", path);
      }
      boolean packed =
          magic.length > 1 && magic[0] == 0x1f && magic[1] == (byte) 0x8b
              || Utf16.of(magic).isPresent();
      return new TextFile(path, Files.size(path), packed, 0);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Return the same file with lines of ratings from a position on, as after a header. */
  public TextFile startingAt(long position) {
    return new TextFile(path, size, packed, position);
  }

  /** Return the path of the file. */
  public Path path() {
    return path;
  }

  /** Return the number of bytes on disk. */
  long size() {
    return size;
  }

  /** Return whether the text is not the bytes on disk. */
  boolean packed() {
    return packed;
  }

  /** Return the position of the first line of ratings. */
  long start() {
    return start;
  }

  /** Open the text, unpacked. */
  public InputStream stream() throws IOException {
    InputStream stream = Files.newInputStream(path);
    if (!packed) {
      return stream;
    }
    try {
      stream = new BufferedInputStream(stream, BUFFER_BYTES);
      if (Utf16.of(stream).isPresent()) {
        return new Utf16(stream, Utf16.of(stream).get());
      }
      InputStream text =
          new BufferedInputStream(
              new GzipMembers(stream, BUFFER_BYTES, GzipMembers.limit(size)), BUFFER_BYTES);
      Optional<Charset> charset = Utf16.of(text);
      return charset.isPresent() ? new Utf16(text, charset.get()) : text;
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** Return the length of the byte order mark that a text begins with: 3, or 0 without one. */
  static int markLength(byte[] text, int length) {
    if (length < BYTE_ORDER_MARK.length) {
      return 0;
    }
    for (int i = 0; i < BYTE_ORDER_MARK.length; i++) {
      if (text[i] != BYTE_ORDER_MARK[i]) {
        return 0;
      }
    }
    return BYTE_ORDER_MARK.length;
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
