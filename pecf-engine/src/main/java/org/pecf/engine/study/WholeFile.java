package org.pecf.engine.study;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/** Write files so that a crash at any moment leaves the old one or the new one, never a half. */
public final class WholeFile {
  private WholeFile() {}

  /** Write a file, which is complete from the moment it appears. */
  public static void write(Path file, String text) {
    Path target = file.toAbsolutePath();
    Path part =
        target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
    try {
      Files.createDirectories(target.getParent());
      try (FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writeFully(channel, text);
      }
      try {
        Files.move(
            part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /** Write all of a text where the channel stands, and have it reach the disk. */
  static void writeFully(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }

  static PecfException cannotWrite(Path file, IOException e) {
    return new PecfException(
        ErrorCode.RESOURCES, "Cannot write " + file + " (" + e + "). Check its folder.", e);
  }
}
