package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.pecf.api.field.CellFunction;

/** A function of other nodes, called cell by cell. */
record ApplyNode(CellFunction function, List<FieldNode> nodes) implements FieldNode {
  @Override
  public void evaluate(CellRun run, float[] values) {
    float[][] arguments = new float[nodes.size()][];
    for (int k = 0; k < arguments.length; k++) {
      arguments[k] = run.borrow();
      nodes.get(k).evaluate(run, arguments[k]);
    }
    float[] cell = new float[arguments.length];
    for (int p = 0; p < run.count(); p++) {
      for (int k = 0; k < arguments.length; k++) {
        cell[k] = arguments[k][p];
      }
      values[p] = function.value(cell);
    }
    for (float[] argument : arguments) {
      run.giveBack(argument);
    }
  }
}
