package org.pecf.backend.cpu.field;

import org.pecf.api.field.CellPartition;
import org.pecf.api.field.PartMask;

/** Evaluate a part mask: 1 on the cells of a part, 0 elsewhere. */
final class MaskSlot {
  private static final int GOLDEN = 0x9e3779b9;
  private static final int RUN = 1024;
  private static final int[] MULTIPLES = multiples();
  private static final float[] VALUES = {0, 1};

  private final PartMask mask;
  private final int start;
  private final int width;
  private final boolean everything;

  MaskSlot(PartMask mask) {
    this.mask = mask;
    CellPartition partition = mask.partition();
    long from = partition.start(mask.part());
    long to = partition.end(mask.part());
    this.start = (int) from;
    // Shifted by 2^31, which turns an unsigned comparison into a signed one.
    this.width = (int) (to - from) + Integer.MIN_VALUE;
    this.everything = to - from == 1L << 32;
  }

  private static int[] multiples() {
    int[] multiples = new int[RUN];
    for (int p = 0; p < RUN; p++) {
      multiples[p] = GOLDEN * p;
    }
    return multiples;
  }

  PartMask mask() {
    return mask;
  }

  /**
   * Evaluate the mask.
   *
   * @param hashes scratch. Modified.
   * @param values receives the values. Modified.
   */
  void evaluate(CellRun run, int[] hashes, float[] values) {
    int key = mask.partition().userKey(run.user());
    if (!run.consecutive()) {
      for (int p = 0; p < run.count(); p++) {
        values[p] = VALUES[inside(CellPartition.hash(key, run.item(p))) >>> 31];
      }
      return;
    }
    for (int done = 0; done < run.count(); done += RUN) {
      int count = Math.min(RUN, run.count() - done);
      hash(key + GOLDEN * (run.item(0) + done), hashes, count);
      for (int p = 0; p < count; p++) {
        values[done + p] = VALUES[hashes[p] >>> 31];
      }
    }
  }

  /** Hash consecutive cells: negative for those inside. Written so that the JIT vectorises it. */
  private void hash(int key, int[] hashes, int count) {
    int from = start;
    int limit = width;
    int all = everything ? Integer.MIN_VALUE : 0;
    for (int p = 0; p < count; p++) {
      int h = key + MULTIPLES[p];
      h = (h ^ (h >>> 16)) * 0x85ebca6b;
      h = (h ^ (h >>> 13)) * 0xc2b2ae35;
      int a = ((h ^ (h >>> 16)) - from) ^ Integer.MIN_VALUE;
      // The sign of a - limit without overflow.
      hashes[p] = (a & ~limit) | (~(a ^ limit) & (a - limit)) | all;
    }
  }

  private int inside(int hash) {
    boolean within = everything || (hash - start) + Integer.MIN_VALUE < width;
    return within ? Integer.MIN_VALUE : 0;
  }
}
