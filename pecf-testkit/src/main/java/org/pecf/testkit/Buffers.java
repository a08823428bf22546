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
    return Arrays.hashCode(
        new int[] {
          ints(cells.userStarts(), cells.users() + 1),
          ints(cells.itemsByUser(), cells.count()),
          ints(cells.itemStarts(), cells.items() + 1),
          ints(cells.usersByItem(), cells.count())
        });
  }

  static int fingerprint(FactorModel model) {
    return Arrays.hashCode(values(model));
  }

  private static int ints(ArrowBuf buffer, int count) {
    byte[] bytes = new byte[count * Integer.BYTES];
    buffer.getBytes(0, bytes);
    return Arrays.hashCode(bytes);
  }
}
