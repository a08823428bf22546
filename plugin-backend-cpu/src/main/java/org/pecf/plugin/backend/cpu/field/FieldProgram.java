package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.plugin.backend.cpu.algebra.NativeFloats;
import org.pecf.plugin.backend.cpu.algebra.Worker;

/**
 * Evaluate fields on runs of cells: a tree of loops over short arrays, which the JIT vectorises.
 *
 * <p>All scores a program needs are named as {@linkplain #slots() slots}; whoever drives it
 * computes them tile by tile, once for all fields of the program. What occurs several times in the
 * fields is evaluated once a run. On consecutive cells a field is evaluated as if no cell were
 * observed, which leaves short formulas, and then once more at the few cells that are.
 */
public final class FieldProgram implements AutoCloseable {
  private final List<ScoreSlot> slots = new ArrayList<>();
  private final List<Node> common = new ArrayList<>();
  private final Map<CellField, Node> known = new IdentityHashMap<>();
  private final List<KeptMask> masks = new ArrayList<>();
  private final Map<CellField, Integer> uses = new IdentityHashMap<>();
  private final List<ObservedCells> observed = new ArrayList<>();
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
    List<CellField> plain = fields.stream().map(unobserved::of).toList();
    fields.forEach(program::use);
    plain.forEach(program::use);
    for (int k = 0; k < fields.size(); k++) {
      ObservedCells cells = ObservedCells.in(fields.get(k));
      Node exact = program.compile(fields.get(k));
      program.roots.add(
          new Root(
              exact,
              cells.isEmpty() ? exact : program.compile(plain.get(k)),
              cells.isEmpty() ? -1 : program.group(cells)));
    }
    return program;
  }

  /** Count how often each formula occurs. */
  private void use(CellField field) {
    if (uses.merge(field, 1, Integer::sum) > 1) {
      return;
    }
    if (field instanceof Product product) {
      product.factors().forEach(this::use);
    } else if (field instanceof Linear linear) {
      linear.terms().forEach(term -> use(term.field()));
    } else if (field instanceof Apply apply) {
      apply.arguments().forEach(this::use);
    }
  }

  /** Return the number of a union of sets. */
  private int group(ObservedCells cells) {
    for (int k = 0; k < observed.size(); k++) {
      if (observed.get(k).sameAs(cells)) {
        return k;
      }
    }
    observed.add(cells);
    return observed.size() - 1;
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
    return new CellRun(worker, slots.size(), common, observed);
  }

  /**
   * Evaluate one of the fields.
   *
   * @param values receives a value a cell. Modified.
   */
  public void evaluate(int field, CellRun run, float[] values) {
    Root root = roots.get(field);
    if (!run.consecutive() || root.observed < 0) {
      root.exact.evaluate(run, values);
      return;
    }
    CellRun listed = run.observed(root.observed);
    if (listed.count() > run.count() / 4) {
      root.exact.evaluate(run, values);
      return;
    }
    root.plain.evaluate(run, values);
    if (listed.count() > 0) {
      float[] exact = run.borrow();
      root.exact.evaluate(listed, exact);
      int first = run.item(0);
      for (int p = 0; p < listed.count(); p++) {
        values[listed.item(p) - first] = exact[p];
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
    Node node = known.get(field);
    if (node == null) {
      node = translate(field);
      boolean formula =
          field instanceof Product || field instanceof Linear || field instanceof Apply;
      if (formula && uses.get(field) > 1 && !(node instanceof HeldNode)) {
        node = keep(node);
      }
      known.put(field, node);
    }
    return node;
  }

  /** Have a run evaluate a node at most once a move. */
  private Node keep(Node node) {
    common.add(node);
    return new CommonNode(common.size() - 1);
  }

  private Node translate(CellField field) {
    if (field instanceof Constant constant) {
      return constant(constant.value());
    }
    if (field instanceof Observed cells) {
      return new ObservedNode(cells);
    }
    if (field instanceof PartMask mask) {
      return mask(mask);
    }
    if (field instanceof Score) {
      return linear(List.of(new Linear.Term(1, field)));
    }
    if (field instanceof Linear linear) {
      return linear(linear.terms());
    }
    if (field instanceof Product product) {
      return product(product);
    }
    if (field instanceof Apply apply) {
      return apply.function() instanceof Posterior posterior
          ? new PosteriorNode(posterior, compile(apply.arguments().get(0)))
          : apply(apply);
    }
    return host((HostField) field);
  }

  private static Node constant(float value) {
    return (run, values) -> Arrays.fill(values, 0, run.count(), value);
  }

  private Node linear(List<Linear.Term> terms) {
    List<LinearNode.Term> nodes = new ArrayList<>();
    ScoreSlot scores = ScoreSlot.of(terms);
    if (!scores.models().isEmpty()) {
      addSlots(scores, nodes);
    }
    for (Linear.Term term : terms) {
      if (!(term.field() instanceof Score)) {
        nodes.add(new LinearNode.Term(term.coefficient(), compile(term.field())));
      }
    }
    return nodes.size() == 1 ? multiple(nodes.get(0)) : new LinearNode(nodes);
  }

  private static Node multiple(LinearNode.Term term) {
    return term.coefficient() == 1 ? term.node() : new LinearNode(List.of(term));
  }

  private Node mask(PartMask mask) {
    for (KeptMask kept : masks) {
      if (same(kept.mask, mask)) {
        return kept.node;
      }
    }
    Node node = keep(new MaskNode(mask));
    masks.add(new KeptMask(mask, node));
    return node;
  }

  /** Compare by hand: what Java makes for records at run time takes long at its first use. */
  private static boolean same(PartMask one, PartMask other) {
    return one.seed() == other.seed() && one.start() == other.start() && one.end() == other.end();
  }

  /** Name a combination of scores, or make it up of those that are named already. */
  private void addSlots(ScoreSlot wanted, List<LinearNode.Term> nodes) {
    for (int k = 0; k < slots.size(); k++) {
      int sign = wanted.signTo(slots.get(k));
      if (sign != 0) {
        nodes.add(new LinearNode.Term(sign, new SlotNode(k)));
        return;
      }
    }
    for (int k = 0; k < slots.size(); k++) {
      for (int sign = -1; sign <= 1; sign += 2) {
        Optional<ScoreSlot> rest = wanted.without(slots.get(k), sign);
        if (rest.isPresent()) {
          nodes.add(new LinearNode.Term(sign, new SlotNode(k)));
          addSlots(rest.get(), nodes);
          return;
        }
      }
    }
    slots.add(wanted);
    nodes.add(new LinearNode.Term(1, new SlotNode(slots.size() - 1)));
  }

  private Node product(Product product) {
    List<Node> factors = new ArrayList<>();
    float coefficient = addFactors(product, factors);
    if (factors.isEmpty()) {
      return constant(coefficient);
    }
    return factors.size() == 1
        ? multiple(new LinearNode.Term(coefficient, factors.get(0)))
        : new ProductNode(coefficient, factors);
  }

  /** Add the factors of a product, and those of products in it, and return the constant one. */
  private float addFactors(Product product, List<Node> factors) {
    float coefficient = 1;
    for (CellField factor : product.factors()) {
      if (factor instanceof Constant constant) {
        coefficient *= constant.value();
      } else if (factor instanceof Product inner && uses.get(inner) == 1) {
        coefficient *= addFactors(inner, factors);
      } else {
        factors.add(compile(factor));
      }
    }
    return coefficient;
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

  /** One field: by definition, as if nothing were observed, and which sets it names, or -1. */
  private record Root(Node exact, Node plain, int observed) {}

  private record KeptMask(PartMask mask, Node node) {}

  /** One operator of the tree. */
  interface Node {
    /**
     * Evaluate at every cell of a run.
     *
     * @param values Modified.
     */
    void evaluate(CellRun run, float[] values);

    /**
     * Return the values at every cell of a run.
     *
     * @param scratch may receive them. Modified.
     * @return an array that holds them, not to be modified unless it is the scratch
     */
    default float[] values(CellRun run, float[] scratch) {
      evaluate(run, scratch);
      return scratch;
    }
  }

  /** A node of which the run holds the values. */
  private interface HeldNode extends Node {
    float[] held(CellRun run);

    @Override
    default void evaluate(CellRun run, float[] values) {
      System.arraycopy(held(run), 0, values, 0, run.count());
    }

    @Override
    default float[] values(CellRun run, float[] scratch) {
      return held(run);
    }
  }

  private record SlotNode(int slot) implements HeldNode {
    @Override
    public float[] held(CellRun run) {
      return run.scores(slot);
    }
  }

  private record CommonNode(int index) implements HeldNode {
    @Override
    public float[] held(CellRun run) {
      return run.common(index);
    }
  }
}
