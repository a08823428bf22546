package org.pecf.plugin.backend.cpu.field;

import java.util.List;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.field.PosteriorValues;

/** One operator of a compiled field. */
interface FieldNode {
  /**
   * Evaluate the node at every cell of a run.
   *
   * @param values Modified.
   */
  void evaluate(CellRun run, float[] values);

  /**
   * Return the values at every cell of a run.
   *
   * @param scratch may receive the values. Modified.
   * @return an array that holds the values, not to be modified unless it is the scratch
   */
  default float[] values(CellRun run, float[] scratch) {
    evaluate(run, scratch);
    return scratch;
  }

  /** A node whose values are stored in the run. */
  interface Stored extends FieldNode {
    /** Return the stored values. Not to be modified. */
    float[] stored(CellRun run);

    @Override
    default void evaluate(CellRun run, float[] values) {
      System.arraycopy(stored(run), 0, values, 0, run.count());
    }

    @Override
    default float[] values(CellRun run, float[] scratch) {
      return stored(run);
    }
  }

  /** A combination of scores. */
  record Slot(int slot) implements Stored {
    @Override
    public float[] stored(CellRun run) {
      return run.scores(slot);
    }
  }

  /** A formula that is evaluated at most once per run. */
  record Common(int index) implements Stored {
    @Override
    public float[] stored(CellRun run) {
      return run.common(index);
    }
  }

  /** The scores of a model that only the host computes, a whole row at a time. */
  record HostSlot(int host) implements Stored {
    @Override
    public float[] stored(CellRun run) {
      return run.hostScores(host);
    }
  }

  /** A field computed by a plugin. */
  record HostValues(HostField field) implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      if (run.consecutive()) {
        OffHeapFloats floats = run.scratch().host(run.count());
        // The tile is a view of scratch memory: it is not closed.
        field.fill(run.user(), run.item(0), FloatMatrix.borrow(floats.buffer(), 1, run.count()));
        floats.read(0, values, 0, run.count());
      } else {
        for (int p = 0; p < run.count(); p++) {
          values[p] = field.valueAt(run.user(), run.item(p));
        }
      }
    }
  }

  /** The node {@code c x_1 x_2 ...}, of at least two factors. */
  record ProductOf(float coefficient, List<FieldNode> factors) implements FieldNode {
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

  /** A function of other nodes, called cell by cell. */
  record FunctionOf(CellFunction function, List<FieldNode> nodes) implements FieldNode {
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

  /** The weight of a cell by its error. */
  final class PosteriorOf implements FieldNode {
    private final FieldNode error;
    private final PosteriorValues posterior;

    PosteriorOf(Posterior posterior, FieldNode error) {
      this.error = error;
      this.posterior = new PosteriorValues(posterior);
    }

    @Override
    public void evaluate(CellRun run, float[] values) {
      posterior.of(error.values(run, values), values, run.count());
    }
  }
}
