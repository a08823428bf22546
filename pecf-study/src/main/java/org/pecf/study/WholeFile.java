package org.pecf.study;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.pecf.api.PecfException;
import org.pecf.engine.file.OutputFile;

/** Files that are whole at any moment: a crash leaves the old one or the new one. */
public final class WholeFile {
  private WholeFile() {}

  /** Write a file, with the folders it is in; see {@link OutputFile} for what is there already. */
  public static void write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
    OutputFile.at(file).write(text);
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
    return PecfException.resources("Cannot write %s (%s). Check its folder.", file, e).causedBy(e);
  }
}
