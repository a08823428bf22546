package org.pecf.backend.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.memory.FloatMatrix;

class SlicesTest {
  private final BufferAllocator root = new RootAllocator();
  private final OffHeapFloats floats = OffHeapFloats.allocate(root, 6);
  private final FloatSlice slice = floats.slice(0, 6);

  @AfterEach
  void close() {
    floats.close();
    root.close();
  }

  private float[] content() {
    float[] content = new float[6];
    floats.read(0, content, 0, 6);
    return content;
  }

  @Test
  void partsShareTheMemoryOfTheWhole() {
    slice.clear();
    slice.slice(1, 2).set(1, 5);
    slice.from(4).setBits(0, Float.floatToRawIntBits(7));
    assertArrayEquals(new float[] {0, 0, 5, 0, 7, 0}, content());
    slice.slice(2, 3).copyTo(slice.from(3));
    assertArrayEquals(new float[] {0, 0, 5, 5, 0, 7}, content());
    assertEquals(7, slice.from(3).slice(1, 2).get(1));
  }

  @Test
  void boundsAreAsserted() {
    assertThrows(AssertionError.class, () -> slice.get(6));
    assertThrows(AssertionError.class, () -> slice.set(-1, 0));
    assertThrows(AssertionError.class, () -> slice.slice(4, 3));
    assertThrows(AssertionError.class, () -> slice.from(7));
    FloatSlice shorter = slice.slice(0, 5);
    assertThrows(AssertionError.class, () -> slice.copyTo(shorter));
    assertThrows(AssertionError.class, () -> floats.slice(1, 1L << 20));
    assertThrows(AssertionError.class, () -> MatrixSlice.of(slice, 2, 3, 4));
    assertThrows(AssertionError.class, () -> MatrixSlice.of(slice, 2, 3).row(2));
    assertThrows(AssertionError.class, () -> new IntSlice(slice.address(), 6).get(6));
  }

  @Test
  void matricesAreViewsOfRows() {
    try (FloatMatrix matrix = FloatMatrix.allocate(root, 3, 2)) {
      matrix.writeRows(0, 3, new float[] {1, 2, 3, 4, 5, 6});
      MatrixSlice last = MatrixSlice.rows(matrix, 1, 2);
      assertEquals(5, last.row(1).get(0));
      assertEquals(4, last.rows(0, 1).row(0).get(1));
      assertEquals(last, last.transpose().transpose());
      assertEquals(3, FloatSlice.row(matrix, 1).get(0));
      assertThrows(IndexOutOfBoundsException.class, () -> MatrixSlice.rows(matrix, 2, 2));
    }
  }

  @Test
  void scratchGrowsAndIsReused() {
    try (Worker worker = new Worker(root, new Ejml().caller())) {
      ScratchFloats scratch = worker.scratch();
      FloatSlice small = scratch.slice(10);
      assertEquals(small.address(), scratch.slice(4).address());
      assertEquals(1000, scratch.slice(1000).length());
    }
  }
}
