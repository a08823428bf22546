package org.pecf.engine.evaluate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Cancellation;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.MeasuredPart;

/**
 * The measurement of a prediction on one part of a split.
 *
 * <p>Users are ranked in blocks, so that memory does not grow with users x items. Users without
 * positives in the part, and those who are not in the sample, are not counted; a block ends before
 * a long run of such users.
 */
public final class Evaluator {
  /** The largest number of bytes for the lists of a block. */
  private static final long BLOCK_BYTES = 8L << 20;

  /**
   * The length of a run of users who are not counted from which skipping it is worth a new block.
   */
  private static final int GAP = 256;

  private final CellField prediction;
  private final MeasuredPart part;
  private final Metrics metrics;
  private final EvaluationRequest request;
  private final Confidence confidence;
  private final ComputeSession session;
  private final Cancellation cancellation;
  private final SparseCells heldOut;
  private final BitSet users;
  private final BitSet counted;

  private Evaluator(
      CellField prediction,
      MeasuredPart part,
      Metrics metrics,
      Confidence confidence,
      ComputeSession session,
      Cancellation cancellation) {
    this.prediction = prediction;
    this.part = part;
    this.metrics = metrics;
    this.request = metrics.request();
    this.confidence = confidence;
    this.session = session;
    this.cancellation = cancellation;
    this.heldOut = part.positives();
    this.users = new BitSet(heldOut.users());
    for (int user = 0; user < heldOut.users(); user++) {
      users.set(user, heldOut.userCount(user) > 0);
    }
    this.counted = request.sampleUsers().of(users);
  }

  /**
   * Measure a prediction.
   *
   * @param prediction a score or a linear combination of scores
   * @param part the part to measure it on
   * @param metrics the metrics, with the cutoffs, the items that are ranked and the users that are
   *     measured
   * @param confidence the weights of wmse
   * @param session the session to compute with
   * @param cancellation polled once per block
   */
  public static EvaluationReport evaluate(
      CellField prediction,
      MeasuredPart part,
      Metrics metrics,
      Confidence confidence,
      ComputeSession session,
      Cancellation cancellation) {
    return new Evaluator(prediction, part, metrics, confidence, session, cancellation).report();
  }

  private EvaluationReport report() {
    checkPart();
    double error = weightedMeanSquaredError();
    Lists lists = new Lists(Math.min(Collections.max(request.cutoffs()), heldOut.items()));
    if (counted.cardinality() == users.cardinality()) {
      rank(heldOut, lists);
    } else {
      try (SparseCells drawn = drawn()) {
        rank(drawn, lists);
      }
    }
    return new EvaluationReport(
        part.part(),
        metrics,
        lists.hits,
        users.cardinality(),
        heldOut.count(),
        values(lists, error));
  }

  /**
   * Rank the items of all users who are counted.
   *
   * @param needed cells of these users alone
   */
  private void rank(SparseCells needed, Lists lists) {
    List<SparseCells> excluded = request.candidates().excluded(part);
    Optional<PartMask> candidates = request.candidates().cells(part);
    int blockUsers = (int) Math.max(1, BLOCK_BYTES / ((long) lists.depth * 2 * Integer.BYTES));
    for (Block block = block(0, blockUsers);
        block.users > 0;
        block = block(block.end, blockUsers)) {
      cancellation.check();
      try (RankedItems ranked =
          session.rank(
              new RankingRequest(
                  prediction,
                  block.first,
                  block.users,
                  lists.depth,
                  excluded,
                  candidates,
                  Optional.of(needed)))) {
        lists.add(block.first, ranked);
      }
    }
  }

  /** Return one positive of each user of a sample. */
  private SparseCells drawn() {
    int[] drawn = counted.stream().toArray();
    int[] items =
        Arrays.stream(drawn).map(user -> heldOut.itemAt(heldOut.userStart(user))).toArray();
    return SparseCells.ofSorted(
        heldOut.userStarts().getReferenceManager().getAllocator(),
        heldOut.users(),
        heldOut.items(),
        drawn.length,
        drawn,
        items);
  }

  private void checkPart() {
    if (heldOut.count() == 0) {
      throw PecfException.badData(
          "The %s part holds no positives, so nothing can be measured on it. Give it a larger share"
              + " of the split, or supply more data.",
          part.part());
    }
    if (request.candidates() == CandidatePolicy.PART_CELLS && part.cells().isEmpty()) {
      throw PecfException.badOption(
          "Ranking only the cells of a part needs a split that divides all cells, zeros included;"
              + " this one divides positives only. Split by cells (cells:3:1:1), or rank all items"
              + " but the training positives.");
    }
  }

  /** A run of consecutive users to rank; empty at the end. */
  private record Block(int first, int users, int end) {}

  /** Return the next block from a user on: it begins and ends with a user who is counted. */
  private Block block(int from, int limit) {
    int first = counted.nextSetBit(from);
    if (first < 0) {
      return new Block(from, 0, from);
    }
    int end = first;
    for (int user = first;
        user >= 0 && user - first < limit && user - end < GAP;
        user = counted.nextSetBit(user + 1)) {
      end = user + 1;
    }
    return new Block(first, end - first, end);
  }

  private Map<MetricKey, Double> values(Lists lists, double error) {
    Map<MetricKey, Double> values = new LinkedHashMap<>();
    for (MetricKey key : metrics.keys()) {
      values.put(
          key,
          switch (key.metric()) {
            case MetricKey.COVERAGE -> lists.covered.share(key.cutoff());
            case MetricKey.WMSE -> error;
            default -> Arrays.stream(metrics.values(key, lists.hits)).average().orElseThrow();
          });
    }
    return values;
  }

  /**
   * Return c on the cells of a part, zero elsewhere. Where only positives are divided, all cells
   * without an earlier positive are taken for cells of the part.
   */
  public static CellField weights(MeasuredPart part, Confidence confidence) {
    CellField weights =
        CellField.observed(part.positives(), confidence.positive(), confidence.zero());
    if (part.cells().isPresent()) {
      return CellField.product(weights, part.cells().get());
    }
    for (SparseCells known : part.earlier()) {
      weights = CellField.product(weights, CellField.observed(known, 0, 1));
    }
    return weights;
  }

  /** Return sum c (r - f)^2 / sum c over the cells of the part. */
  private double weightedMeanSquaredError() {
    CellField ratings = CellField.observed(heldOut, 1, 0);
    CellField weights = weights(part, confidence);
    CellField squares = CellField.square(CellField.difference(ratings, prediction));
    double[] sums = session.fields().sums(List.of(CellField.product(weights, squares), weights));
    double error = sums[0] / sums[1];
    if (!Double.isFinite(error)) {
      throw PecfException.badOption(
          "The prediction is not a finite number everywhere: the training diverged. Raise the"
              + " penalty (lambda) or lower the step length of the filter trained last.");
    }
    return error;
  }

  /** The comparison of ranked lists with the positives held out. */
  private final class Lists {
    private final int depth;
    private final UserHits hits;
    private final CoveredItems covered;
    private final int[] heldOutBy = new int[heldOut.items()];

    Lists(int depth) {
      this.depth = depth;
      this.hits = new UserHits(counted.cardinality());
      this.covered = new CoveredItems(request.cutoffs(), heldOut.items(), depth);
    }

    void add(int firstUser, RankedItems ranked) {
      for (int row = 0; row < ranked.users(); row++) {
        int user = firstUser + row;
        if (counted.get(user)) {
          add(user, ranked, row);
        }
      }
    }

    private void add(int user, RankedItems ranked, int row) {
      int mark = user + 1;
      for (int k = heldOut.userStart(user); k < heldOut.userStart(user + 1); k++) {
        heldOutBy[heldOut.itemAt(k)] = mark;
      }
      hits.user(user, heldOut.userCount(user));
      for (int place = 0; place < ranked.count(row); place++) {
        int item = ranked.item(row, place);
        covered.add(item, place);
        if (heldOutBy[item] == mark) {
          hits.hit(place + 1, item);
        }
      }
    }
  }

  /** The smallest cutoff at which each item appears in any list. */
  private static final class CoveredItems {
    private final int[] cutoffs;
    private final int[] cutoffIndexOfPlace;
    private final int[] firstIndex;

    CoveredItems(List<Integer> cutoffs, int items, int depth) {
      this.cutoffs = cutoffs.stream().mapToInt(Integer::intValue).sorted().toArray();
      this.firstIndex = new int[items];
      Arrays.fill(firstIndex, this.cutoffs.length);
      this.cutoffIndexOfPlace = new int[depth];
      int index = 0;
      for (int place = 0; place < depth; place++) {
        while (this.cutoffs[index] <= place) {
          index++;
        }
        cutoffIndexOfPlace[place] = index;
      }
    }

    /** Note an item; places are counted from 0. */
    void add(int item, int place) {
      firstIndex[item] = Math.min(firstIndex[item], cutoffIndexOfPlace[place]);
    }

    /** Return the share of items in any list cut at one of the cutoffs. */
    double share(int cutoff) {
      long covered =
          Arrays.stream(firstIndex).filter(k -> k < cutoffs.length && cutoffs[k] <= cutoff).count();
      return (double) covered / firstIndex.length;
    }
  }
}
