package org.pecf.plugin.loaders.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The two forms of Arrow IPC. */
enum ArrowForm {
  /** The file form, whose footer holds the positions of the batches. */
  FILE,
  /** The stream form, one message after the other. */
  STREAM;

  private static final byte[] FILE_MARK = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int CONTINUATION = -1;

  /** Return the form that the first eight bytes show, if they show one. */
  static Optional<ArrowForm> of(FileChannel channel) throws IOException {
    ByteBuffer mark = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    while (mark.hasRemaining() && channel.read(mark, mark.position()) >= 0) {}
    if (mark.hasRemaining()) {
      return Optional.empty();
    }
    if (ByteBuffer.wrap(FILE_MARK).equals(mark.flip())) {
      return Optional.of(FILE);
    }
    int length = mark.getInt(4);
    return mark.getInt(0) == CONTINUATION && length > 0 && length <= channel.size() - 8
        ? Optional.of(STREAM)
        : Optional.empty();
  }
}
