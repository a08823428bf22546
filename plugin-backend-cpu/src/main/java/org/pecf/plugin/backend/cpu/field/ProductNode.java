package org.pecf.plugin.backend.cpu.field;

import java.util.List;

/** The node {@code c x_1 x_2 ...}, of at least two factors. */
record ProductNode(float coefficient, List<FieldNode> factors) implements FieldNode {
  @Override
  public void evaluate(CellRun run, float[] values) {
    float[] left = factors.get(0).values(run, values);
    float[] scratch = run.borrow();
    float by = coefficient;
    for (int k = 1; k < factors.size(); k++) {
      multiply(by, left, factors.get(k).values(run, scratch), values, run.count());
      left = values;
      by = 1;
    }
    run.giveBack(scratch);
  }

  private static void multiply(float by, float[] left, float[] right, float[] values, int count) {
    for (int p = 0; p < count; p++) {
      values[p] = by * left[p] * right[p];
    }
  }
}
