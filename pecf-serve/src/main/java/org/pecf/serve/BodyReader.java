package org.pecf.serve;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.BufferUtil;

/**
 * The body of a request, read as it comes without waiting for it.
 *
 * <p>Of a body that is too large the rest is read and dropped, up to some size: a client that is
 * still sending when its connection ends would never see why.
 */
final class BodyReader implements Runnable {
  /** The part of too large a body that is read, in multiples of the limit. */
  private static final int PATIENCE = 16;

  private final Content.Source source;
  private final int limit;
  private final Consumer<byte[]> whole;
  private final Consumer<Throwable> failed;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private long seen;

  /** A body that is larger than allowed. */
  static final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLarge() {
      super("the body is too large", null, false, false);
    }
  }

  /**
   * Create a reader; running it reads.
   *
   * @param source the source of the body
   * @param limit the most bytes of a body
   * @param whole told the body
   * @param failed told why there is none, instead
   */
  BodyReader(Content.Source source, int limit, Consumer<byte[]> whole, Consumer<Throwable> failed) {
    this.source = source;
    this.limit = limit;
    this.whole = whole;
    this.failed = failed;
  }

  /** Return whether a body of a length is worth reading, if only to drop it. */
  static boolean isWorthReading(long length, int limit) {
    return length <= (long) limit * PATIENCE;
  }

  @Override
  public void run() {
    while (true) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        source.demand(this);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed.accept(chunk.getFailure());
        return;
      }
      boolean last = chunk.isLast();
      take(chunk.getByteBuffer());
      chunk.release();
      if (last && seen <= limit) {
        whole.accept(bytes.toByteArray());
        return;
      }
      if (last || !isWorthReading(seen, limit)) {
        failed.accept(new TooLarge());
        return;
      }
    }
  }

  private void take(ByteBuffer buffer) {
    seen += buffer.remaining();
    if (seen <= limit) {
      bytes.writeBytes(BufferUtil.toArray(buffer));
    }
    buffer.position(buffer.limit());
  }
}
