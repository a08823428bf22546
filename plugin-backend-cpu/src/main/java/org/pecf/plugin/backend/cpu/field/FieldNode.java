package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.List;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.algebra.IntSlice;
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

  /** An observed field. */
  record ObservedValues(Observed observed) implements FieldNode {
    @Override
    public void evaluate(CellRun run, float[] values) {
      Arrays.fill(values, 0, run.count(), observed.outside());
      if (run.count() == 0) {
        return;
      }
      SparseCells cells = observed.cells();
      int position = cells.lowerBound(run.user(), run.item(0));
      int end = cells.userStart(run.user() + 1);
      IntSlice items = IntSlice.itemsByUser(cells);
      float inside = observed.inside();
      if (run.consecutive()) {
        int first = run.item(0);
        int limit = first + run.count();
        for (; position < end && items.get(position) < limit; position++) {
          values[items.get(position) - first] = inside;
        }
      } else {
        for (int p = 0; p < run.count() && position < end; p++) {
          int item = run.item(p);
          while (position < end && items.get(position) < item) {
            position++;
          }
          if (position < end && items.get(position) == item) {
            values[p] = inside;
          }
        }
      }
    }
  }

  /** A part mask: 1 on the cells of a part, 0 elsewhere. */
  static final class MaskValues implements FieldNode {
    private static final int GOLDEN = 0x9e3779b9;
    private static final int RUN = 1024;
    private static final int[] MULTIPLES = multiples();
    private static final int ONE = Float.floatToRawIntBits(1);

    private final PartMask mask;
    private final int start;
    private final int width;
    private final boolean everything;

    MaskValues(PartMask mask) {
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

  /** The node {@code sum_k c_k x_k}. */
  record SumOf(List<Term> terms) implements FieldNode {
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
}
