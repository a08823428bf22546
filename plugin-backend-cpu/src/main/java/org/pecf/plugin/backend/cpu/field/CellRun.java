package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some cells of one user with their scores: consecutive items, or listed ones. A run belongs to one
 * worker and is moved over the grid.
 */
public final class CellRun {
  private final FieldScratch scratch;
  private final float[][] scores;
  private final List<float[]> spare = new ArrayList<>();
  private int user;
  private int count;
  private int firstItem;
  private int @Nullable [] items;
  private final List<FieldNode> commonNodes;
  private final float[][] common;
  private final boolean[] known;
  private final List<ObservedCells> observedSets;
  private final CellRun[] observed;
  private final boolean[] listed;
  private int[] bits = {};

  /**
   * Create a run that is nowhere yet.
   *
   * @param slots the number of scores per cell, those of models of the host included
   * @param commonNodes the nodes that are evaluated at most once per move
   * @param observedSets the sets of cells that may be observed
   */
  CellRun(
      FieldScratch scratch,
      int slots,
      List<FieldNode> commonNodes,
      List<ObservedCells> observedSets) {
    this.scratch = scratch;
    this.scores = new float[slots][];
    this.commonNodes = commonNodes;
    this.common = new float[commonNodes.size()][];
    this.known = new boolean[commonNodes.size()];
    this.observedSets = observedSets;
    this.observed = new CellRun[observedSets.size()];
    this.listed = new boolean[observedSets.size()];
  }

  /** Move to consecutive items of a user. */
  void moveTo(int newUser, int newFirstItem, int newCount) {
    user = newUser;
    firstItem = newFirstItem;
    items = null;
    count = newCount;
    Arrays.fill(known, false);
    Arrays.fill(listed, false);
  }

  /** Move to listed items of a user, ascending. */
  void moveTo(int newUser, int[] newItems, int newCount) {
    user = newUser;
    items = newItems;
    count = newCount;
    Arrays.fill(known, false);
    Arrays.fill(listed, false);
  }

  /**
   * Move to some of the cells of a run of consecutive ones, with the scores they have there.
   *
   * @param chosen the items, ascending; the run refers to the array. Not modified.
   */
  public void select(CellRun consecutive, int[] chosen, int chosenCount) {
    moveTo(consecutive.user, chosen, chosenCount);
    for (int slot = 0; slot < scores.length; slot++) {
      float[] all = consecutive.scores(slot);
      float[] some = scores(slot);
      for (int p = 0; p < chosenCount; p++) {
        some[p] = all[chosen[p] - consecutive.firstItem];
      }
    }
  }

  /** Return the array that holds the scores of a slot, at least count long. */
  public float[] scores(int slot) {
    if (scores[slot] == null || scores[slot].length < count) {
      scores[slot] = new float[Math.max(count, 1024)];
    }
    return scores[slot];
  }

  /** Return the array that holds the scores of a model of the host: they stand behind the slots. */
  float[] hostScores(int host) {
    return scores(scores.length - 1 - host);
  }

  /** Return the values of a common node, evaluated at most once per move. Not to be modified. */
  float[] common(int index) {
    if (!known[index]) {
      if (common[index] == null || common[index].length < count) {
        common[index] = new float[Math.max(count, 1024)];
      }
      commonNodes.get(index).evaluate(this, common[index]);
      known[index] = true;
    }
    return common[index];
  }

  /** Return a run of those of these consecutive cells that are observed. */
  CellRun observed(int set) {
    if (!listed[set]) {
      if (observed[set] == null) {
        observed[set] = new CellRun(scratch, scores.length, commonNodes, List.of());
      }
      int[] chosen = observed[set].items;
      if (chosen == null || chosen.length < count) {
        chosen = new int[Math.max(count, 1024)];
      }
      observed[set].select(
          this, chosen, observedSets.get(set).list(user, firstItem, count, chosen));
      listed[set] = true;
    }
    return observed[set];
  }

  /** Return the user. */
  public int user() {
    return user;
  }

  /** Return the number of cells. */
  public int count() {
    return count;
  }

  /** Return the item of a cell. */
  public int item(int index) {
    return items == null ? firstItem + index : items[index];
  }

  /** Return whether the items are consecutive. */
  boolean consecutive() {
    return items == null;
  }

  /** Return the off-heap scratch memory of the worker. */
  FieldScratch scratch() {
    return scratch;
  }

  /** Return scratch memory for the bits of some values. */
  int[] bits(int size) {
    if (bits.length < size) {
      bits = new int[size];
    }
    return bits;
  }

  /** Return an array of at least count floats, to be {@linkplain #giveBack given back}. */
  float[] borrow() {
    if (!spare.isEmpty()) {
      float[] array = spare.remove(spare.size() - 1);
      if (array.length >= count) {
        return array;
      }
    }
    return new float[Math.max(count, 1024)];
  }

  /** Make a borrowed array available again. */
  void giveBack(float[] array) {
    spare.add(array);
  }
}
