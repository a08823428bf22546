package org.pecf.plugin.loaders.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Name the two forms of Arrow IPC. */
enum ArrowForm {
  /** With a footer that knows where the batches are. */
  FILE,
  /** One message after the other. */
  STREAM;

  private static final byte[] FILE_MARK = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int CONTINUATION = -1;

  /** Tell the form by the first eight bytes, if it is one. */
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
