package org.pecf.plugin.backend.cpu.field;

import java.util.Arrays;
import java.util.List;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostScore;
import org.pecf.backend.algebra.Worker;

/**
 * Compiled fields, evaluated together on runs of cells: trees of loops over short arrays, which the
 * JIT vectorises.
 *
 * <p>The scores that the fields need are {@linkplain #slots() slots}, computed tile by tile, once
 * for all fields. A formula that occurs several times is evaluated once per run. On consecutive
 * cells a field is evaluated as if no cell were observed, which leaves short formulas, and then
 * once more at the few cells that are.
 */
public final class FieldProgram implements AutoCloseable {
  private final List<ScoreSlot> slots;
  private final List<HostScore> hosts;
  private final List<FieldNode> common;
  private final List<ObservedCells> observed;
  private final List<Root> roots;

  /**
   * One field.
   *
   * @param exact the field by definition
   * @param unobserved the field as if no cell were observed
   * @param observed the index of the union of sets that the field names, or -1 without any
   */
  record Root(FieldNode exact, FieldNode unobserved, int observed) {}

  FieldProgram(
      List<ScoreSlot> slots,
      List<HostScore> hosts,
      List<FieldNode> common,
      List<ObservedCells> observed,
      List<Root> roots) {
    this.slots = slots;
    this.hosts = hosts;
    this.common = common;
    this.observed = observed;
    this.roots = roots;
  }

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(CellField... fields) {
    return of(Arrays.asList(fields));
  }

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(List<CellField> fields) {
    return new FieldCompiler().compile(fields);
  }

  /** Read scores from a store where it holds them. */
  public FieldProgram recall(ScoreStore store) {
    slots.forEach(slot -> slot.recall(store));
    return this;
  }

  /**
   * Prepare for a pass over the whole grid: read scores from a store where it holds them, else join
   * the item factors of combined models where memory allows.
   */
  public FieldProgram join(ScoreStore store) {
    recall(store);
    slots.forEach(slot -> slot.join(store.allocator()));
    return this;
  }

  /** Release joined factors. */
  @Override
  public void close() {
    slots.forEach(ScoreSlot::close);
  }

  /** Return the scores that a run carries. */
  public List<ScoreSlot> slots() {
    return slots;
  }

  /** Return the models whose scores only the host computes. */
  List<HostScore> hosts() {
    return hosts;
  }

  /** Return the number of fields. */
  public int fields() {
    return roots.size();
  }

  /** Create a run for a worker. */
  public CellRun run(Worker worker) {
    return new CellRun(FieldScratch.of(worker), slots.size() + hosts.size(), common, observed);
  }

  /**
   * Evaluate one of the fields.
   *
   * @param values receives one value per cell. Modified.
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
    root.unobserved.evaluate(run, values);
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
   * Move a run to listed items of a user, and compute the scores there.
   *
   * @param items the items, ascending. Not modified.
   */
  public void moveTo(CellRun run, int user, int[] items, int count) {
    run.moveTo(user, items, count);
    for (int slot = 0; slot < slots.size(); slot++) {
      slots.get(slot).at(user, items, count, run.scores(slot));
    }
    for (int host = 0; host < hosts.size(); host++) {
      HostRows.at(hosts.get(host), run, host);
    }
  }
}
