package org.pecf.engine.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.SparseCells;

/**
 * The hash of the canonical form of a dataset: little-endian, ids ascending, cells by user and
 * item.
 *
 * <p>The form is: a mark with its version; for users, then items, their number and ids (kind, then
 * 64-bit numbers, or 32-bit ends of the texts and the bytes of the texts); the users + 1 starts of
 * the users' cells and the items of the cells; times and parts, each after a flag whether there are
 * any.
 */
final class Fingerprint {
  private static final String MARK = "pecf dataset 1\n";
  private static final int PIECE = 1 << 20;

  private final MessageDigest digest;

  private Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  static String of(Dataset dataset) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.digest.update(MARK.getBytes(StandardCharsets.UTF_8));
    fingerprint.add(dataset.users());
    fingerprint.add(dataset.items());
    SparseCells cells = dataset.positives();
    fingerprint.add(cells.userStarts(), (cells.users() + 1L) * Integer.BYTES);
    fingerprint.add(cells.itemsByUser(), (long) cells.count() * Integer.BYTES);
    fingerprint.add(dataset.times().isPresent() ? 1 : 0);
    dataset
        .times()
        .ifPresent(
            times -> fingerprint.add(times.getDataBuffer(), (long) cells.count() * Long.BYTES));
    fingerprint.add(dataset.parts().isPresent() ? 1 : 0);
    dataset.parts().ifPresent(parts -> fingerprint.add(parts.getDataBuffer(), cells.count()));
    return HexFormat.of().formatHex(fingerprint.digest.digest());
  }

  private void add(IdMap ids) {
    add(ids.size());
    add(ids.kind() == IdKind.INTEGER ? 0 : 1);
    if (ids.kind() == IdKind.INTEGER) {
      add(ids.vector().getDataBuffer(), (long) ids.size() * Long.BYTES);
    } else {
      ArrowBuf offsets = ids.vector().getOffsetBuffer();
      int first = offsets.getInt(0);
      for (int index = 1; index <= ids.size(); index++) {
        add(offsets.getInt((long) index * Integer.BYTES) - first);
      }
      int last = offsets.getInt((long) ids.size() * Integer.BYTES);
      add(ids.vector().getDataBuffer().slice(first, (long) last - first), (long) last - first);
    }
  }

  private void add(int value) {
    digest.update(
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(value).flip());
  }

  /** Add memory unchanged: Arrow runs on little-endian machines only. */
  private void add(ArrowBuf buffer, long length) {
    for (long start = 0; start < length; start += PIECE) {
      digest.update(buffer.nioBuffer(start, (int) Math.min(PIECE, length - start)));
    }
  }
}
