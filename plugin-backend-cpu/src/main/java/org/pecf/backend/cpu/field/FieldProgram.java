package org.pecf.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.CellPartition;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;

/**
 * Evaluate fields on runs of cells: a tree of loops over short arrays, which the JIT vectorises.
 *
 * <p>All scores a program needs are named as {@linkplain #slots() slots}; whoever drives it
 * computes them tile by tile, once for all fields of the program.
 */
public final class FieldProgram {
  private final List<ScoreSlot> slots = new ArrayList<>();
  private final List<Node> roots = new ArrayList<>();

  private FieldProgram() {}

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(CellField... fields) {
    return of(Arrays.asList(fields));
  }

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(List<CellField> fields) {
    FieldProgram program = new FieldProgram();
    for (CellField field : fields) {
      program.roots.add(program.compile(field));
    }
    return program;
  }

  /** Return the scores that a run must carry. */
  public List<ScoreSlot> slots() {
    return slots;
  }

  /** Return how many fields there are. */
  public int fields() {
    return roots.size();
  }

  /** Create a run for a worker. */
  public CellRun run(Worker worker) {
    return new CellRun(worker, slots.size());
  }

  /**
   * Evaluate one of the fields.
   *
   * @param values receives a value a cell. Modified.
   */
  public void evaluate(int field, CellRun run, float[] values) {
    roots.get(field).evaluate(run, values);
  }

  /**
   * Evaluate all slots at listed items of a user, after which fields can be evaluated there.
   *
   * @param items ascending. Not modified.
   */
  public void moveTo(CellRun run, int user, int[] items, int count) {
    run.moveTo(user, items, count);
    for (int slot = 0; slot < slots.size(); slot++) {
      slots.get(slot).at(run.worker(), user, items, count, run.scores(slot));
    }
  }

  private Node compile(CellField field) {
    if (field instanceof Constant constant) {
      return (run, values) -> Arrays.fill(values, 0, run.count(), constant.value());
    }
    if (field instanceof Observed observed) {
      return observed(observed);
    }
    if (field instanceof PartMask mask) {
      return mask(mask);
    }
    if (field instanceof Score) {
      return slot(ScoreSlot.of(List.of(new Linear.Term(1, field))));
    }
    if (field instanceof Linear linear) {
      return linear(linear);
    }
    if (field instanceof Product product) {
      return product(product);
    }
    if (field instanceof Apply apply) {
      return apply.function() instanceof Posterior posterior
          ? posterior(posterior, compile(apply.arguments().get(0)))
          : apply(apply);
    }
    return host((HostField) field);
  }

  private Node slot(ScoreSlot wanted) {
    for (int k = 0; k < slots.size(); k++) {
      int sign = wanted.signTo(slots.get(k));
      if (sign != 0) {
        return slotNode(k, sign);
      }
    }
    slots.add(wanted);
    return slotNode(slots.size() - 1, 1);
  }

  private static Node slotNode(int slot, float sign) {
    return (run, values) -> {
      float[] scores = run.scores(slot);
      for (int p = 0; p < run.count(); p++) {
        values[p] = sign * scores[p];
      }
    };
  }

  private Node linear(Linear linear) {
    List<Node> nodes = new ArrayList<>();
    List<Float> coefficients = new ArrayList<>();
    ScoreSlot scores = ScoreSlot.of(linear.terms());
    if (!scores.models().isEmpty()) {
      nodes.add(slot(scores));
      coefficients.add(1f);
    }
    for (Linear.Term term : linear.terms()) {
      if (!(term.field() instanceof Score)) {
        nodes.add(compile(term.field()));
        coefficients.add(term.coefficient());
      }
    }
    return (run, values) -> {
      Arrays.fill(values, 0, run.count(), 0);
      float[] term = run.borrow();
      for (int k = 0; k < nodes.size(); k++) {
        nodes.get(k).evaluate(run, term);
        addMultiple(values, coefficients.get(k), term, run.count());
      }
      run.giveBack(term);
    };
  }

  private static void addMultiple(float[] values, float coefficient, float[] term, int count) {
    for (int p = 0; p < count; p++) {
      values[p] += coefficient * term[p];
    }
  }

  private Node product(Product product) {
    List<CellField> distinct = new ArrayList<>();
    List<Integer> powers = new ArrayList<>();
    for (CellField factor : product.factors()) {
      int known = -1;
      for (int k = 0; k < distinct.size(); k++) {
        if (distinct.get(k) == factor) {
          known = k;
        }
      }
      if (known < 0) {
        distinct.add(factor);
        powers.add(1);
      } else {
        powers.set(known, powers.get(known) + 1);
      }
    }
    List<Node> nodes = distinct.stream().map(this::compile).toList();
    return (run, values) -> {
      Arrays.fill(values, 0, run.count(), 1);
      float[] factor = run.borrow();
      for (int k = 0; k < nodes.size(); k++) {
        nodes.get(k).evaluate(run, factor);
        for (int power = 0; power < powers.get(k); power++) {
          multiply(values, factor, run.count());
        }
      }
      run.giveBack(factor);
    };
  }

  private static void multiply(float[] values, float[] factor, int count) {
    for (int p = 0; p < count; p++) {
      values[p] *= factor[p];
    }
  }

  private static Node observed(Observed observed) {
    SparseCells cells = observed.cells();
    return (run, values) -> {
      Arrays.fill(values, 0, run.count(), observed.outside());
      if (run.count() == 0) {
        return;
      }
      int position = cells.lowerBound(run.user(), run.item(0));
      int end = cells.userStart(run.user() + 1);
      if (run.consecutive()) {
        int first = run.item(0);
        int limit = first + run.count();
        for (; position < end && cells.itemAt(position) < limit; position++) {
          values[cells.itemAt(position) - first] = observed.inside();
        }
      } else {
        for (int p = 0; p < run.count() && position < end; p++) {
          while (position < end && cells.itemAt(position) < run.item(p)) {
            position++;
          }
          if (position < end && cells.itemAt(position) == run.item(p)) {
            values[p] = observed.inside();
          }
        }
      }
    };
  }

  private static Node mask(PartMask mask) {
    CellPartition partition = mask.partition();
    // Shifting by 2^31 turns the unsigned comparison into a signed one; the end is inclusive so
    // that
    // it fits.
    int low = (int) (partition.start(mask.part()) + Integer.MIN_VALUE);
    int high = (int) (partition.end(mask.part()) - 1 + Integer.MIN_VALUE);
    boolean empty = partition.start(mask.part()) == partition.end(mask.part());
    return (run, values) -> {
      int key = partition.userKey(run.user());
      if (empty) {
        Arrays.fill(values, 0, run.count(), 0);
      } else if (run.consecutive()) {
        int first = run.item(0);
        for (int p = 0; p < run.count(); p++) {
          int hash = CellPartition.hash(key, first + p) + Integer.MIN_VALUE;
          values[p] = hash >= low & hash <= high ? 1 : 0;
        }
      } else {
        for (int p = 0; p < run.count(); p++) {
          int hash = CellPartition.hash(key, run.item(p)) + Integer.MIN_VALUE;
          values[p] = hash >= low & hash <= high ? 1 : 0;
        }
      }
    };
  }

  private static Node posterior(Posterior posterior, Node error) {
    float scale = posterior.scale();
    float nu = posterior.nu();
    double factor = -1 / ((double) posterior.sigma() * posterior.sigma());
    return (run, values) -> {
      error.evaluate(run, values);
      for (int p = 0; p < run.count(); p++) {
        float e = values[p];
        values[p] = scale / (1 + nu * Exponential.of(factor * e * e));
      }
    };
  }

  private Node apply(Apply apply) {
    CellFunction function = apply.function();
    List<Node> nodes = apply.arguments().stream().map(this::compile).toList();
    return (run, values) -> {
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
    };
  }

  private static Node host(HostField host) {
    return (run, values) -> {
      if (run.consecutive()) {
        NativeFloats scratch = run.worker().offHeap("field.host", run.count());
        // The tile is a view of scratch memory: it is not closed.
        FloatMatrix tile = FloatMatrix.of(scratch.buffer(), 1, run.count());
        host.fill(run.user(), run.item(0), tile);
        scratch.read(0, values, 0, run.count());
      } else {
        for (int p = 0; p < run.count(); p++) {
          values[p] = host.valueAt(run.user(), run.item(p));
        }
      }
    };
  }

  /** One operator of the tree. */
  private interface Node {
    void evaluate(CellRun run, float[] values);
  }
}
