package org.pecf.plugin.backend.cpu.field;

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
}
