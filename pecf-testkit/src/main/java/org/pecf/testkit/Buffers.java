package org.pecf.testkit;

import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;

/** Read whole matrices, and tell whether memory was changed. */
final class Buffers {
  private Buffers() {}

  static float[] values(FloatMatrix matrix) {
    float[] values = new float[matrix.rows() * matrix.columns()];
    matrix.readRows(0, matrix.rows(), values);
    return values;
  }

  static float[] values(FactorModel model) {
    float[] users = values(model.users());
    float[] items = values(model.items());
    float[] all = Arrays.copyOf(users, users.length + items.length);
    System.arraycopy(items, 0, all, users.length, items.length);
    return all;
  }

  static int fingerprint(SparseCells cells) {
    return 31 * (31 * bytes(cells.userStarts()) + bytes(cells.itemsByUser()))
        + 31 * bytes(cells.itemStarts())
        + bytes(cells.usersByItem());
  }

  static int fingerprint(FactorModel model) {
    return Arrays.hashCode(values(model));
  }

  private static int bytes(ArrowBuf buffer) {
    byte[] bytes = new byte[Math.toIntExact(buffer.capacity())];
    buffer.getBytes(0, bytes);
    return Arrays.hashCode(bytes);
  }
}
