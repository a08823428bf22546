package org.pecf.loaders.arrow;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageMetadataResult;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

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

  /**
   * Check that every message of a stream is wholly there, so that reading it never stops half-way.
   *
   * @throws EOFException if one is not
   */
  static void checkComplete(FileChannel channel) throws IOException {
    channel.position(0);
    while (true) {
      long left = channel.size() - channel.position();
      if (left >= 8) {
        ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(prefix, channel.position());
        if (prefix.getInt(4) < 0 || prefix.getInt(4) > left - 8) {
          throw new EOFException("a message ends beyond the end of the file");
        }
      }
      MessageMetadataResult message = MessageSerializer.readMessage(new ReadChannel(channel));
      if (message == null) {
        break;
      }
      long next = channel.position() + message.getMessageBodyLength();
      if (message.getMessageBodyLength() < 0 || next > channel.size()) {
        throw new EOFException("a batch ends beyond the end of the file");
      }
      channel.position(next);
    }
    channel.position(0);
  }
}
