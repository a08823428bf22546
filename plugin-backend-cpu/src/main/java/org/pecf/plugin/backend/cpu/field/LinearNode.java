package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.List;

/** The node {@code sum_k c_k x_k}. */
record LinearNode(List<Term> terms) implements FieldNode {
  /** A multiple of a node. */
  record Term(float coefficient, FieldNode node) {}

  @Override
  public void evaluate(CellRun run, float[] values) {
    int count = run.count();
    if (terms.isEmpty()) {
      Arrays.fill(values, 0, count, 0);
      return;
    }
    Term first = terms.get(0);
    float[] left = first.node.values(run, values);
    if (terms.size() == 1) {
      scale(first.coefficient, left, values, count);
      return;
    }
    float[] scratch = run.borrow();
    float leftCoefficient = first.coefficient;
    for (int k = 1; k < terms.size(); k++) {
      Term term = terms.get(k);
      float[] right = term.node.values(run, scratch);
      add(leftCoefficient, left, term.coefficient, right, values, count);
      left = values;
      leftCoefficient = 1;
    }
    run.giveBack(scratch);
  }

  private static void scale(float by, float[] from, float[] values, int count) {
    for (int p = 0; p < count; p++) {
      values[p] = by * from[p];
    }
  }

  private static void add(
      float a, float[] left, float b, float[] right, float[] values, int count) {
    for (int p = 0; p < count; p++) {
      values[p] = a * left[p] + b * right[p];
    }
  }
}
