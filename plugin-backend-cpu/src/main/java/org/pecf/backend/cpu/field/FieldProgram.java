package org.pecf.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
import org.pecf.backend.cpu.algebra.NativeFloats;
import org.pecf.backend.cpu.algebra.Worker;

/**
 * Evaluate fields on runs of cells: a tree of loops over short arrays, which the JIT vectorises.
 *
 * <p>All scores a program needs are named as {@linkplain #slots() slots}; whoever drives it
 * computes them tile by tile, once for all fields of the program. On consecutive cells a field is
 * evaluated as if no cell were observed, which leaves short formulas, and then once more at the few
 * cells that are.
 */
public final class FieldProgram implements AutoCloseable {
  private final List<ScoreSlot> slots = new ArrayList<>();
  private final List<MaskSlot> masks = new ArrayList<>();
  private final List<Root> roots = new ArrayList<>();

  private FieldProgram() {}

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(CellField... fields) {
    return of(Arrays.asList(fields));
  }

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(List<CellField> fields) {
    FieldProgram program = new FieldProgram();
    Unobserved unobserved = new Unobserved();
    for (CellField field : fields) {
      Node exact = program.compile(field);
      ObservedCells observed = ObservedCells.in(field);
      program.roots.add(
          new Root(
              exact, observed.isEmpty() ? exact : program.compile(unobserved.of(field)), observed));
    }
    return program;
  }

  /** Take scores from a store where it keeps them. */
  public FieldProgram recall(ScoreStore store) {
    slots.forEach(slot -> slot.recall(store));
    return this;
  }

  /**
   * Prepare for a pass over the whole grid: take scores from a store where it keeps them, and else
   * join the item factors of combined models, where there is memory for it.
   */
  public FieldProgram join(ScoreStore store) {
    recall(store);
    slots.forEach(slot -> slot.join(store.allocator()));
    return this;
  }

  /** Give back what was joined. */
  @Override
  public void close() {
    slots.forEach(ScoreSlot::close);
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
    return new CellRun(worker, slots.size(), masks);
  }

  /**
   * Evaluate one of the fields.
   *
   * @param values receives a value a cell. Modified.
   */
  public void evaluate(int field, CellRun run, float[] values) {
    Root root = roots.get(field);
    if (!run.consecutive() || root.observed.isEmpty()) {
      root.exact.evaluate(run, values);
      return;
    }
    int[] items = run.itemList();
    int count = root.observed.list(run.user(), run.item(0), run.count(), items);
    if (count > run.count() / 4) {
      root.exact.evaluate(run, values);
      return;
    }
    root.plain.evaluate(run, values);
    if (count > 0) {
      CellRun listed = run.listed();
      listed.select(run, items, count);
      float[] exact = run.borrow();
      root.exact.evaluate(listed, exact);
      int first = run.item(0);
      for (int p = 0; p < count; p++) {
        values[items[p] - first] = exact[p];
      }
      run.giveBack(exact);
    }
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
      return new ObservedNode(observed);
    }
    if (field instanceof PartMask mask) {
      int index = mask(mask);
      return (run, values) -> System.arraycopy(run.mask(index), 0, values, 0, run.count());
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
          ? new PosteriorNode(posterior, 1, compile(apply.arguments().get(0)))
          : apply(apply);
    }
    return host((HostField) field);
  }

  private int mask(PartMask mask) {
    for (int k = 0; k < masks.size(); k++) {
      if (same(masks.get(k).mask(), mask)) {
        return k;
      }
    }
    masks.add(new MaskSlot(mask));
    return masks.size() - 1;
  }

  /** Compare by hand: what Java makes for records at run time takes long at its first use. */
  private static boolean same(PartMask one, PartMask other) {
    CellPartition left = one.partition();
    CellPartition right = other.partition();
    return one.part() == other.part()
        && left.seed() == right.seed()
        && left.shares().equals(right.shares());
  }

  /** Name a combination of scores, or make it up of those that are named already. */
  private Node slot(ScoreSlot wanted) {
    for (int k = 0; k < slots.size(); k++) {
      int sign = wanted.signTo(slots.get(k));
      if (sign != 0) {
        return slotNode(k, sign);
      }
    }
    for (int k = 0; k < slots.size(); k++) {
      for (int sign = -1; sign <= 1; sign += 2) {
        Optional<ScoreSlot> rest = wanted.without(slots.get(k), sign);
        if (rest.isPresent()) {
          return sum(List.of(1f, 1f), List.of(slotNode(k, sign), slot(rest.get())));
        }
      }
    }
    slots.add(wanted);
    return slotNode(slots.size() - 1, 1);
  }

  private static Node slotNode(int slot, float sign) {
    return (run, values) -> {
      float[] scores = run.scores(slot);
      if (sign == 1) {
        System.arraycopy(scores, 0, values, 0, run.count());
      } else {
        for (int p = 0; p < run.count(); p++) {
          values[p] = sign * scores[p];
        }
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
    return sum(coefficients, nodes);
  }

  private static Node sum(List<Float> coefficients, List<Node> nodes) {
    return (run, values) -> {
      if (nodes.isEmpty()) {
        Arrays.fill(values, 0, run.count(), 0);
        return;
      }
      nodes.get(0).evaluate(run, values);
      if (coefficients.get(0) != 1) {
        scale(values, coefficients.get(0), run.count());
      }
      if (nodes.size() > 1) {
        float[] term = run.borrow();
        for (int k = 1; k < nodes.size(); k++) {
          nodes.get(k).evaluate(run, term);
          addMultiple(values, coefficients.get(k), term, run.count());
        }
        run.giveBack(term);
      }
    };
  }

  private static void addMultiple(float[] values, float coefficient, float[] term, int count) {
    for (int p = 0; p < count; p++) {
      values[p] += coefficient * term[p];
    }
  }

  private static void scale(float[] values, float coefficient, int count) {
    for (int p = 0; p < count; p++) {
      values[p] *= coefficient;
    }
  }

  private Node product(Product product) {
    float coefficient = 1;
    List<CellField> distinct = new ArrayList<>();
    List<Integer> powers = new ArrayList<>();
    for (CellField factor : product.factors()) {
      if (factor instanceof Constant constant) {
        coefficient *= constant.value();
        continue;
      }
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
    List<Factor> factors = new ArrayList<>();
    for (int k = 0; k < distinct.size(); k++) {
      CellField field = distinct.get(k);
      if (field instanceof PartMask mask) {
        factors.add(new Factor(null, mask(mask), 1));
      } else if (coefficient != 1
          && powers.get(k) == 1
          && field instanceof Apply apply
          && apply.function() instanceof Posterior posterior) {
        Node error = compile(apply.arguments().get(0));
        factors.add(0, new Factor(new PosteriorNode(posterior, coefficient, error), -1, 1));
        coefficient = 1;
      } else {
        factors.add(new Factor(compile(field), -1, powers.get(k)));
      }
    }
    return new ProductNode(coefficient, factors);
  }

  /** A factor: a node, or one of the masks; and how often it is taken. */
  private record Factor(Node node, int mask, int power) {
    void evaluate(CellRun run, float[] values) {
      if (node == null) {
        System.arraycopy(run.mask(mask), 0, values, 0, run.count());
      } else {
        node.evaluate(run, values);
      }
    }
  }

  private record ProductNode(float coefficient, List<Factor> factors) implements Node {
    @Override
    public void evaluate(CellRun run, float[] values) {
      int count = run.count();
      if (factors.isEmpty()) {
        Arrays.fill(values, 0, count, coefficient);
        return;
      }
      float[] scratch = run.borrow();
      for (int k = 0; k < factors.size(); k++) {
        Factor factor = factors.get(k);
        float[] operand = scratch;
        if (factor.node == null && k > 0) {
          operand = run.mask(factor.mask);
        } else {
          operand = k == 0 ? values : scratch;
          factor.evaluate(run, operand);
        }
        if (k == 0 && factor.power > 1) {
          System.arraycopy(values, 0, scratch, 0, count);
        }
        for (int power = k == 0 ? 1 : 0; power < factor.power; power++) {
          multiply(values, k == 0 ? scratch : operand, count);
        }
      }
      if (coefficient != 1) {
        scale(values, coefficient, count);
      }
      run.giveBack(scratch);
    }
  }

  private static void multiply(float[] values, float[] factor, int count) {
    for (int p = 0; p < count; p++) {
      values[p] *= factor[p];
    }
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

  /** One field: by definition, as if nothing were observed, and what is observed. */
  private record Root(Node exact, Node plain, ObservedCells observed) {}

  /** One operator of the tree. */
  interface Node {
    void evaluate(CellRun run, float[] values);
  }
}
