package org.pecf.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.pecf.backend.cpu.algebra.Worker;

/**
 * Name some cells of one user, with the scores they have: consecutive items, or listed ones.
 *
 * <p>One run object belongs to one worker and is moved over the grid.
 */
public final class CellRun {
  private final Worker worker;
  private final float[][] scores;
  private final List<float[]> spare = new ArrayList<>();
  private int user;
  private int count;
  private int firstItem;
  private int[] items;
  private final List<MaskSlot> maskSlots;
  private final float[][] masks;
  private final boolean[] masked;
  private int[] hashes;
  private int[] itemList;
  private CellRun listed;

  CellRun(Worker worker, int slots, List<MaskSlot> maskSlots) {
    this.worker = worker;
    this.scores = new float[slots][];
    this.maskSlots = maskSlots;
    this.masks = new float[maskSlots.size()][];
    this.masked = new boolean[maskSlots.size()];
  }

  /** Move to consecutive items of a user. */
  void moveTo(int newUser, int newFirstItem, int newCount) {
    user = newUser;
    firstItem = newFirstItem;
    items = null;
    count = newCount;
    Arrays.fill(masked, false);
  }

  /** Move to listed items of a user, ascending. */
  void moveTo(int newUser, int[] newItems, int newCount) {
    user = newUser;
    items = newItems;
    count = newCount;
    Arrays.fill(masked, false);
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

  /** Return the values of a mask, evaluated at most once a move. Not to be modified. */
  float[] mask(int slot) {
    if (!masked[slot]) {
      if (masks[slot] == null || masks[slot].length < count) {
        masks[slot] = new float[Math.max(count, 1024)];
      }
      if (hashes == null) {
        hashes = new int[1024];
      }
      maskSlots.get(slot).evaluate(this, hashes, masks[slot]);
      masked[slot] = true;
    }
    return masks[slot];
  }

  /** Return an array for a list of some of the items. */
  int[] itemList() {
    if (itemList == null || itemList.length < count) {
      itemList = new int[Math.max(count, 1024)];
    }
    return itemList;
  }

  /** Return another run of the same program, to be moved to some of the items. */
  CellRun listed() {
    if (listed == null) {
      listed = new CellRun(worker, scores.length, maskSlots);
    }
    return listed;
  }

  /** Return the user. */
  public int user() {
    return user;
  }

  /** Return how many cells there are. */
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

  /** Return the worker the run belongs to. */
  Worker worker() {
    return worker;
  }

  /** Lend an array of at least count floats. */
  float[] borrow() {
    if (!spare.isEmpty()) {
      float[] array = spare.remove(spare.size() - 1);
      if (array.length >= count) {
        return array;
      }
    }
    return new float[Math.max(count, 1024)];
  }

  /** Take a lent array back. */
  void giveBack(float[] array) {
    spare.add(array);
  }
}
