package org.pecf.plugin.backend.cpu.field;

import org.pecf.api.field.PartMask;
import org.pecf.backend.algebra.OffHeapFloats;

/** A part mask: 1 on the cells of a part, 0 elsewhere. */
final class MaskNode implements FieldNode {
  private static final int GOLDEN = 0x9e3779b9;
  private static final int RUN = 1024;
  private static final int[] MULTIPLES = multiples();
  private static final int ONE = Float.floatToRawIntBits(1);

  private final PartMask mask;
  private final int start;
  private final int width;
  private final boolean everything;

  MaskNode(PartMask mask) {
    this.mask = mask;
    this.start = (int) mask.start();
    // Shifted by 2^31, which turns an unsigned comparison into a signed one.
    this.width = (int) (mask.end() - mask.start()) + Integer.MIN_VALUE;
    this.everything = mask.end() - mask.start() == 1L << 32;
  }

  private static int[] multiples() {
    int[] multiples = new int[RUN];
    for (int p = 0; p < RUN; p++) {
      multiples[p] = GOLDEN * p;
    }
    return multiples;
  }

  @Override
  public void evaluate(CellRun run, float[] values) {
    int key = mask.userKey(run.user());
    if (!run.consecutive()) {
      for (int p = 0; p < run.count(); p++) {
        values[p] = inside(PartMask.hash(key, run.item(p))) ? 1 : 0;
      }
      return;
    }
    int[] bits = run.bits(RUN);
    OffHeapFloats floats = run.scratch().mask(RUN);
    for (int done = 0; done < run.count(); done += RUN) {
      int count = Math.min(RUN, run.count() - done);
      mark(key + GOLDEN * (run.item(0) + done), bits, count);
      // A loop that turns bits into floats is not vectorised; two copies are faster.
      floats.writeBits(bits, count);
      floats.read(0, values, done, count);
    }
  }

  /** Write the bits of 1 for cells inside and of 0 for others, in a form the JIT vectorises. */
  private void mark(int key, int[] bits, int count) {
    int from = start;
    int limit = width;
    int all = everything ? Integer.MIN_VALUE : 0;
    for (int p = 0; p < count; p++) {
      int h = key + MULTIPLES[p];
      h = (h ^ (h >>> 16)) * 0x85ebca6b;
      h = (h ^ (h >>> 13)) * 0xc2b2ae35;
      int a = ((h ^ (h >>> 16)) - from) ^ Integer.MIN_VALUE;
      // The sign of a - limit without overflow.
      int sign = (a & ~limit) | (~(a ^ limit) & (a - limit)) | all;
      bits[p] = (sign >> 31) & ONE;
    }
  }

  private boolean inside(int hash) {
    return everything || (hash - start) + Integer.MIN_VALUE < width;
  }
}
