package org.pecf.api.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sparse matrices and their products against dense arrays. */
class SparseProductModelTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    assertEquals(0, allocator.getAllocatedMemory());
    allocator.close();
  }

  private static float[][] random(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] values = new float[rows][columns];
    for (float[] row : values) {
      for (int column = 0; column < columns; column++) {
        row[column] = random.nextInt(3) == 0 ? (float) random.nextDouble() - 0.3f : 0;
      }
    }
    Arrays.fill(values[rows / 2], 0);
    return values;
  }

  private SparseMatrix sparse(float[][] dense) {
    int columns = dense[0].length;
    try (SparseMatrix.Builder builder =
        SparseMatrix.Builder.ofRows(allocator, dense.length, columns, columns)) {
      // Rows may come in any order.
      for (int row = dense.length - 1; row >= 0; row--) {
        int[] places = new int[columns];
        float[] values = new float[columns];
        int count = 0;
        for (int column = 0; column < columns; column++) {
          if (dense[row][column] != 0) {
            places[count] = column;
            values[count++] = dense[row][column];
          }
        }
        builder.setRow(row, count, places, values);
      }
      return builder.build();
    }
  }

  private static void assertElements(float[][] expected, SparseMatrix actual) {
    assertEquals(expected.length, actual.rows());
    assertEquals(expected[0].length, actual.columns());
    int entries = 0;
    for (int row = 0; row < expected.length; row++) {
      for (int column = 0; column < expected[0].length; column++) {
        assertEquals(expected[row][column], actual.get(row, column), row + ", " + column);
        entries += expected[row][column] != 0 ? 1 : 0;
      }
    }
    assertEquals(entries, actual.count());
  }

  @Test
  void aMatrixHoldsWhatItsRowsWereSetTo() {
    for (int columns : new int[] {1, 6, 40}) {
      float[][] dense = random(9, columns, columns);
      try (SparseMatrix matrix = sparse(dense)) {
        assertElements(dense, matrix);
      }
    }
  }

  @Test
  void aTransposeSwapsRowsAndColumns() {
    float[][] dense = random(7, 11, 3);
    float[][] swapped = new float[11][7];
    for (int k = 0; k < 77; k++) {
      swapped[k % 11][k / 11] = dense[k / 11][k % 11];
    }
    try (SparseMatrix matrix = sparse(dense);
        SparseMatrix transpose = matrix.transpose(allocator)) {
      assertElements(swapped, transpose);
    }
  }

  @Test
  void cellsAreOnes() {
    try (SparseCells cells =
            SparseCells.ofSorted(allocator, 3, 4, 3, new int[] {0, 0, 2}, new int[] {1, 3, 0});
        SparseMatrix matrix = SparseMatrix.ofCells(allocator, cells)) {
      assertElements(new float[][] {{0, 1, 0, 1}, {0, 0, 0, 0}, {1, 0, 0, 0}}, matrix);
    }
  }

  @Test
  void aScaledMatrixIsMultiplied() {
    try (SparseMatrix matrix = sparse(new float[][] {{0, 2}, {-3, 0}})) {
      matrix.scale(0.5f);
      assertElements(new float[][] {{0, 1}, {-1.5f, 0}}, matrix);
    }
  }

  private ArrowBuf ints(int... values) {
    ArrowBuf buffer = allocator.buffer(Math.max(1, values.length * 4L));
    for (int k = 0; k < values.length; k++) {
      buffer.setInt(k * 4L, values[k]);
    }
    return buffer;
  }

  /** Check that two rows of three columns with this structure are refused. */
  private void assertRefused(int[] starts, int... columns) {
    assertThrows(
        IllegalArgumentException.class,
        () -> SparseMatrix.of(2, 3, ints(starts), ints(columns), ints(columns)),
        () -> Arrays.toString(starts) + Arrays.toString(columns));
  }

  @Test
  void wrongStructuresAreRefusedAndTheirMemoryReleased() {
    SparseMatrix.of(2, 3, ints(0, 1, 2), ints(2, 0), ints(0, 0)).close();
    assertRefused(new int[] {1, 1, 2}, 2, 0);
    assertRefused(new int[] {0, 2, 1}, 0, 1);
    assertRefused(new int[] {0, 3, 2}, 0, 1);
    assertRefused(new int[] {0, -1, 2}, 0, 1);
    assertRefused(new int[] {0, 1, -2}, 0, 1);
    assertRefused(new int[] {0, 1, 1 << 20}, 0, 1);
    assertRefused(new int[] {0, 1, Integer.MAX_VALUE}, 0, 1);
    assertRefused(new int[] {0, 2, 2}, 1, 1);
    assertRefused(new int[] {0, 2, 2}, 2, 0);
    assertRefused(new int[] {0, 1, 2}, 0, 3);
    assertRefused(new int[] {0, 1, 2}, -1, 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> SparseMatrix.of(1 << 20, 3, ints(0, 1), ints(0), ints(0)));
  }

  @Test
  void aBuilderRefusesWhatDoesNotFit() {
    try (SparseMatrix.Builder builder = SparseMatrix.Builder.ofRows(allocator, 2, 3, 1)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> builder.setRow(0, 2, new int[] {0, 1}, new float[2]));
    }
    try (BufferAllocator small = allocator.newChildAllocator("small", 0, 1 << 12);
        SparseMatrix.Builder builder = SparseMatrix.Builder.ofRows(small, 100, 1000, 1000)) {
      assertThrows(
          OutOfMemoryException.class,
          () -> builder.setRow(0, 1000, new int[1000], new float[1000]));
    }
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void scoresAreTheProductByCellRowAndTile(Side inner) {
    int users = 8;
    int items = 13;
    int size = inner == Side.USERS ? users : items;
    float[][] left = random(users, size, 4);
    float[][] right = random(size, items, 5);
    try (SparseProductModel model =
            new SparseProductModel(inner, sparse(left), sparse(right), -0.5f);
        FloatMatrix tile = FloatMatrix.allocate(allocator, 3, 6)) {
      float[] row = new float[items];
      for (int user = 0; user < users; user++) {
        model.scoreRow(user, row);
        for (int item = 0; item < items; item++) {
          float expected = 0;
          for (int k = 0; k < size; k++) {
            expected += left[user][k] * right[k][item];
          }
          expected += -0.5f;
          assertEquals(expected, model.scoreAt(user, item), user + ", " + item);
          assertEquals(expected, row[item], user + ", " + item);
        }
      }
      model.fill(4, 7, tile);
      for (int k = 0; k < 18; k++) {
        assertEquals(model.scoreAt(4 + k / 6, 7 + k % 6), tile.get(k / 6, k % 6));
      }
      assertEquals(inner == Side.USERS ? model.left() : model.right(), model.similarities());
    }
  }

  @Test
  void aProfileIsScoredLikeAUserWhoHasIt() {
    float[][] right = random(6, 6, 6);
    float[][] left = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 1, 1, 0}};
    try (SparseProductModel model =
        new SparseProductModel(Side.ITEMS, sparse(left), sparse(right), 0.1f)) {
      float[] expected = new float[6];
      float[] actual = new float[6];
      model.scoreRow(1, expected);
      model.scoreRow(new int[] {0, 3, 4}, new float[] {1, 1, 1}, actual);
      assertArrayEquals(expected, actual);
    }
  }

  @Test
  void memoryIsHandedOver() {
    SparseProductModel model =
        new SparseProductModel(Side.ITEMS, sparse(random(4, 5, 7)), sparse(random(5, 5, 8)), 0);
    float before = model.scoreAt(1, 2);
    try (BufferAllocator from = allocator.newChildAllocator("from", 0, 1 << 20);
        BufferAllocator to = allocator.newChildAllocator("to", 0, 1 << 20);
        SparseProductModel moved = model.transferTo(from).transferTo(to)) {
      assertEquals(0, from.getAllocatedMemory());
      assertTrue(to.getAllocatedMemory() > 0);
      assertEquals(before, moved.scoreAt(1, 2));
    }
  }

  @Test
  void matricesThatDoNotFitAreRefused() {
    try (SparseMatrix left = sparse(random(4, 5, 7));
        SparseMatrix right = sparse(random(5, 6, 8))) {
      assertThrows(
          IllegalArgumentException.class, () -> new SparseProductModel(Side.ITEMS, left, right, 0));
      assertThrows(
          IllegalArgumentException.class, () -> new SparseProductModel(Side.USERS, left, right, 0));
    }
  }
}
