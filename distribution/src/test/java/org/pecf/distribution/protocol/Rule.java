package org.pecf.distribution.protocol;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.pecf.api.field.CellPartition;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Seed;
import org.pecf.distribution.protocol.DividedData.Cell;
import org.pecf.engine.data.split.SplitRule;

/** The rules by which data is divided, and data of which each makes the parts that are wanted. */
enum Rule {
  POSITIVES("positives:3:1:1"),
  LEAVE_ONE_OUT("leave-one-out"),
  TEMPORAL("temporal:3:1:1"),
  FILES("files"),
  CELLS("paper");

  /** What becomes of the held-out positives while the training part stays as it is. */
  enum HeldOut {
    /** As they are. */
    SAME,
    /** Other validation positives and other test positives. */
    OTHER,
    /** The same validation positives, but other test positives. */
    OTHER_TEST,
    /** As few as the rule allows; where it allows no fewer, all of them crowd on a few users. */
    FEWEST
  }

  private static final int TRAINING = 6;
  private static final int FEW_TRAINING = 2;

  private final String text;

  Rule(String text) {
    this.text = text;
  }

  SplitRule split() {
    return SplitRule.parse(text);
  }

  boolean fileAPart() {
    return this == FILES;
  }

  private int heldOutOfAUser() {
    return this == LEAVE_ONE_OUT ? 1 : 2;
  }

  /** A user with two training positives may have held-out ones or none. */
  private boolean hasFewPositives(int user) {
    return this == LEAVE_ONE_OUT && user % 4 == 3;
  }

  /**
   * Return data that this rule divides as it says. Training positives are in cells of the training
   * part of the hash, and so on, whether the rule goes by the hash, by time or by files.
   *
   * @param seed the root seed of the training
   */
  DividedData data(GridShape shape, long seed, HeldOut heldOut) {
    CellPartition partition = new CellPartition(new Seed(seed).child("split").value(), 3, 1, 1);
    for (long attempt = 0; ; attempt++) {
      DividedData data = data(shape, partition, new Random(attempt), heldOut);
      if (coversEveryItem(shape, data.training())) {
        return data;
      }
    }
  }

  /** The ids of a data set are those of its positives, so all must be in the training part. */
  private static boolean coversEveryItem(GridShape shape, List<Cell> cells) {
    BitSet items = new BitSet();
    cells.forEach(cell -> items.set(cell.item()));
    return items.cardinality() == shape.items();
  }

  private DividedData data(
      GridShape shape, CellPartition partition, Random random, HeldOut heldOut) {
    List<Cell> training = new ArrayList<>();
    List<Cell> validation = new ArrayList<>();
    List<Cell> test = new ArrayList<>();
    int count = heldOutOfAUser();
    for (int user = 0; user < shape.users(); user++) {
      List<List<Cell>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int item = 0; item < shape.items(); item++) {
        parts.get(partition.partOf(user, item).ordinal()).add(new Cell(user, item));
      }
      parts.forEach(part -> Collections.shuffle(part, random));
      training.addAll(parts.get(0).subList(0, hasFewPositives(user) ? FEW_TRAINING : TRAINING));
      boolean dropped = heldOut == HeldOut.FEWEST && hasFewPositives(user);
      if (!dropped) {
        boolean moved = heldOut == HeldOut.OTHER || heldOut == HeldOut.FEWEST;
        int from = moved ? count : 0;
        int testFrom = heldOut == HeldOut.SAME ? 0 : count;
        validation.addAll(parts.get(1).subList(from, from + count));
        test.addAll(parts.get(2).subList(testFrom, testFrom + count));
      }
    }
    return heldOut == HeldOut.FEWEST
        ? fewest(shape, training, validation, test)
        : new DividedData(training, validation, test);
  }

  private DividedData fewest(
      GridShape shape, List<Cell> training, List<Cell> validation, List<Cell> test) {
    return switch (this) {
      case POSITIVES, CELLS -> new DividedData(training, List.of(), test.subList(7, 8));
      case FILES -> new DividedData(training, validation.subList(3, 4), test.subList(7, 8));
      case LEAVE_ONE_OUT -> new DividedData(training, validation, test);
      case TEMPORAL -> {
        // The moments at which parts begin are shares of the count, so that has to stay.
        List<Cell> crowd = new ArrayList<>();
        for (int user = 0; crowd.size() < validation.size() + test.size(); user++) {
          for (int item = 0; item < shape.items(); item++) {
            crowd.add(new Cell(user, item));
          }
          crowd.removeAll(training);
        }
        yield new DividedData(
            training,
            crowd.subList(0, validation.size()),
            crowd.subList(validation.size(), validation.size() + test.size()));
      }
    };
  }
}
