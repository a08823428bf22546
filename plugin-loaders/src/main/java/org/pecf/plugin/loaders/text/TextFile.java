package org.pecf.plugin.loaders.text;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipException;
import org.pecf.api.PecfException;

/**
 * Stand for a file of text, possibly packed with gzip; which of the two is told by its content.
 *
 * <p>Positions count bytes of decoded text.
 */
public final class TextFile {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final Path path;
  private final long size;
  private final boolean packed;

  private TextFile(Path path, long size, boolean packed) {
    this.path = path;
    this.size = size;
    this.packed = packed;
  }

  /**
   * Look at a file.
   *
   * @throws PecfException if it is missing, no file, unreadable or empty
   */
  public static TextFile open(Path path) {
    if (!Files.exists(path)) {
      throw bad(path + ": no such file or folder. Check the path given as data.", null);
    }
    if (Files.isDirectory(path)) {
      throw bad(path + " is a folder, but a file is needed. Name the file in it.", null);
    }
    try (InputStream stream = Files.newInputStream(path)) {
      byte[] magic = stream.readNBytes(4);
      if (magic.length == 0) {
        throw bad(path + " is empty. It should hold ratings.", null);
      }
      if (magic.length == 4 && magic[0] == 'P' && magic[1] == 'K' && magic[2] == 3) {
        throw bad(path + " is a zip archive. Unpack it and name the file of ratings in it.", null);
      }
      boolean packed = magic.length > 1 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
      return new TextFile(path, Files.size(path), packed);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** Return where the file is. */
  public Path path() {
    return path;
  }

  /** Return the number of bytes on disk. */
  public long size() {
    return size;
  }

  /** Return whether the file is packed with gzip and so can only be read from its beginning. */
  public boolean packed() {
    return packed;
  }

  /** Open the bytes on disk for reads at any position. */
  FileChannel channel() throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Return some bytes of a file that is not packed. */
  public byte[] read(long from, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    try (FileChannel channel = channel()) {
      while (target.hasRemaining() && channel.read(target, from + target.position()) >= 0) {}
    } catch (IOException e) {
      throw unreadable(e);
    }
    return target.array();
  }

  /** Open the decoded text. */
  public InputStream stream() throws IOException {
    InputStream stream = Files.newInputStream(path);
    try {
      return packed
          ? new UnpackedText(new GzipMembers(stream, BUFFER_BYTES), size)
          : new BufferedInputStream(stream, BUFFER_BYTES);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** Return how many bytes of a byte order mark a text begins with: 3 or 0. */
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

  /**
   * Report a problem at a place as {@code path:line:column: message}; counts the lines only now.
   */
  public PecfException report(BadText problem) {
    long line = 1;
    long column = 1;
    try (InputStream stream = stream()) {
      byte[] buffer = new byte[BUFFER_BYTES];
      long position = 0;
      while (position < problem.position()) {
        int read =
            stream.read(buffer, 0, (int) Math.min(buffer.length, problem.position() - position));
        if (read < 0) {
          break;
        }
        int first = position == 0 ? markLength(buffer, read) : 0;
        for (int i = first; i < read; i++) {
          if (buffer[i] == '\n') {
            line++;
            column = 1;
          } else if ((buffer[i] & 0xc0) != 0x80) {
            column++;
          }
        }
        position += read;
      }
    } catch (IOException e) {
      return unreadable(path, e);
    }
    return bad(path + ":" + line + ":" + column + ": " + problem.getMessage(), problem);
  }

  /** Report that the file cannot be read. */
  public PecfException unreadable(IOException cause) {
    return unreadable(path, cause);
  }

  private static PecfException unreadable(Path path, IOException cause) {
    if (cause instanceof EOFException) {
      return bad(
          path + " is a gzip file that ends too early. Fetch it again; the copy is incomplete.",
          cause);
    }
    if (cause instanceof UnpackedText.TooLarge) {
      return bad(path + " " + cause.getMessage(), cause);
    }
    if (cause instanceof ZipException) {
      return bad(
          path + " is a damaged gzip file (" + cause.getMessage() + "). Fetch it again.", cause);
    }
    if (cause instanceof NoSuchFileException) {
      return bad(
          path
              + " vanished while it was read. See that nothing moves or deletes it, and try again.",
          cause);
    }
    if (cause instanceof AccessDeniedException) {
      return bad(path + " may not be read by this user. Check its permissions.", cause);
    }
    String reason = cause instanceof FileSystemException e ? e.getReason() : cause.getMessage();
    return bad(
        path
            + " cannot be read"
            + (reason == null ? "" : ": " + reason)
            + ". Check the file and its disk.",
        cause);
  }

  private static PecfException bad(String message, Throwable cause) {
    return PecfException.badData("%s", message).causedBy(cause);
  }
}
