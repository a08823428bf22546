package org.pecf.engine.data;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.data.Part;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunContext;

/**
 * The assembly of a dataset from batches.
 *
 * @param batches the batches in their final order
 * @param users the numbers of users
 * @param items the numbers of items
 * @param fields the fields of the ratings
 * @param histogram the rating values
 * @param rules the rules by which ratings become positives
 * @param locations the source of each part
 * @param context the run context
 */
record DatasetAssembly(
    List<EncodedBatch> batches,
    IdIndexer users,
    IdIndexer items,
    CellRatings.Fields fields,
    RatingHistogram histogram,
    DatasetRules rules,
    Map<Part, String> locations,
    RunContext context) {

  Dataset assemble() {
    long read = batches.stream().mapToLong(EncodedBatch::count).sum();
    if (read > Integer.MAX_VALUE - 8) {
      throw PecfException.resources(
          "There are %d ratings, and a dataset can be made of at most 2^31 - 9. Load fewer.", read);
    }
    int[] userRanks = users.ranks();
    int[] itemRanks = items.ranks();
    CellRatings.Settlement settlement;
    RarityFilter.Remaining remaining;
    try (CellRatings cells =
        CellRatings.gather(
            batches, userRanks, itemRanks, fields, context.allocator(), context.cancellation())) {
      settlement =
          cells.settle(
              rules,
              context.parallelism(),
              (user, item) ->
                  rejection(text(users, userRanks, user), text(items, itemRanks, item)));
      remaining = remaining(cells, settlement, itemRanks.length);
      try (RemainingPositives positives =
              RemainingPositives.of(
                  cells, settlement.positives(), remaining, fields, context.allocator());
          Cleanup cleanup = new Cleanup()) {
        check(positives, read, settlement);
        IdMap userIds = cleanup.add(ids(Side.USERS, users, userRanks, remaining.users()));
        IdMap itemIds = cleanup.add(ids(Side.ITEMS, items, itemRanks, remaining.items()));
        Optional<SparseCells> negatives = negatives(cells, settlement, remaining);
        negatives.ifPresent(cleanup::add);
        Dataset dataset = dataset(positives, userIds, itemIds, negatives, read, settlement);
        cleanup.release();
        return dataset;
      }
    }
  }

  private static IdMap ids(Side side, IdIndexer indexer, int[] ranks, boolean[] remaining) {
    return IdMap.of(side, indexer.ids(side, ranks, remaining));
  }

  private static String text(IdIndexer ids, int[] ranks, int rank) {
    int number = 0;
    while (ranks[number] != rank) {
      number++;
    }
    return ids.text(number);
  }

  private static PecfException rejection(String user, String item) {
    return PecfException.badData(
        "User '%s' rates item '%s' more than once, and duplicates are to be rejected. Remove them"
            + " from the data, or choose which one counts: last, first or highest.",
        user, item);
  }

  /** Return the users and items with enough positives: at least one, or the required number. */
  private RarityFilter.Remaining remaining(
      CellRatings cells, CellRatings.Settlement settlement, int itemCount) {
    int[] positives = settlement.positives();
    if (rules.minUser() <= 1 && rules.minItem() <= 1) {
      return withPositives(cells, positives, itemCount);
    }
    try (Cleanup cleanup = new Cleanup()) {
      OffHeapColumn starts =
          cleanup.add(
              OffHeapColumn.allocate(context.allocator(), positives.length + 1L, Integer.BYTES));
      OffHeapColumn byUser =
          cleanup.add(
              OffHeapColumn.allocate(context.allocator(), settlement.total(), Integer.BYTES));
      int position = 0;
      for (int user = 0; user < positives.length; user++) {
        for (int k = 0; k < positives[user]; k++) {
          byUser.set(position++, cells.itemAt(cells.start(user) + k));
        }
        starts.set(user + 1L, position);
      }
      try (SparseCells all =
          SparseCells.ofUserOrder(
              context.allocator(),
              positives.length,
              itemCount,
              starts.release(),
              byUser.release())) {
        return RarityFilter.of(all, rules.minUser(), rules.minItem());
      }
    }
  }

  /** Return the ratings that are not positives, of the users and items that remain. */
  private Optional<SparseCells> negatives(
      CellRatings cells, CellRatings.Settlement settlement, RarityFilter.Remaining remaining) {
    if (settlement.totalNegatives() == 0) {
      return Optional.empty();
    }
    int[] items = RemainingPositives.indexes(remaining.items());
    int users = RemainingPositives.remaining(RemainingPositives.indexes(remaining.users()));
    try (Cleanup cleanup = new Cleanup()) {
      BufferAllocator allocator = context.allocator();
      OffHeapColumn starts =
          cleanup.add(OffHeapColumn.allocate(allocator, users + 1L, Integer.BYTES));
      OffHeapColumn byUser =
          cleanup.add(
              OffHeapColumn.allocate(allocator, settlement.totalNegatives(), Integer.BYTES));
      int position = 0;
      int index = 0;
      for (int user = 0; user < remaining.users().length; user++) {
        if (remaining.users()[user]) {
          int first = cells.start(user) + settlement.positives()[user];
          for (int k = first; k < first + settlement.negatives()[user]; k++) {
            int item = items[cells.itemAt(k)];
            if (item >= 0) {
              byUser.set(position++, item);
            }
          }
          starts.set(++index, position);
        }
      }
      return Optional.of(
          SparseCells.ofUserOrder(
              allocator,
              users,
              RemainingPositives.remaining(items),
              starts.release(),
              byUser.release()));
    }
  }

  private static RarityFilter.Remaining withPositives(
      CellRatings cells, int[] positives, int itemCount) {
    boolean[] users = new boolean[positives.length];
    boolean[] items = new boolean[itemCount];
    for (int user = 0; user < users.length; user++) {
      users[user] = positives[user] > 0;
      int start = cells.start(user);
      for (int k = 0; k < positives[user]; k++) {
        items[cells.itemAt(start + k)] = true;
      }
    }
    return new RarityFilter.Remaining(users, items);
  }

  private void check(RemainingPositives positives, long read, CellRatings.Settlement settlement) {
    if (positives.count() == 0) {
      throw nothingRemains(read, settlement);
    }
    for (Map.Entry<Part, String> location : locations.entrySet()) {
      if (fields.parts() && positives.perPart().get(location.getKey().ordinal()) == 0) {
        throw PecfException.badData(
            "No positive of %s remains: its ratings were dropped as duplicates of other parts, by"
                + " the rule '%s' or by the required numbers of positives. Relax the rules or"
                + " correct the file.",
            location.getValue(), rules.positive());
      }
    }
  }

  private PecfException nothingRemains(long read, CellRatings.Settlement settlement) {
    String counts =
        String.format(
            Locale.ROOT,
            "Of %d ratings, %d were dropped as duplicates, %d by the rule '%s' for positives",
            read,
            settlement.duplicates(),
            settlement.totalNegatives(),
            rules.positive());
    if (settlement.total() == 0) {
      Map<Float, Long> values = histogram.counts();
      return PecfException.badData(
          "%s, and none remains. Set the rule lower%s.",
          counts, values.isEmpty() ? "" : "; the values are " + values.keySet());
    }
    return PecfException.badData(
        "%s, and the remaining %d because users need at least %d positives and items %d (those with"
            + " too few are left out until none has too few). Set these numbers lower.",
        counts, settlement.total(), rules.minUser(), rules.minItem());
  }

  private Dataset dataset(
      RemainingPositives positives,
      IdMap userIds,
      IdMap itemIds,
      Optional<SparseCells> negatives,
      long read,
      CellRatings.Settlement settlement) {
    DatasetSummary summary =
        new DatasetSummary(
            userIds.size(),
            itemIds.size(),
            positives.count(),
            read,
            settlement.duplicates(),
            settlement.acrossParts(),
            settlement.totalNegatives(),
            settlement.total() - positives.count(),
            positives.perUser(),
            positives.perItem(),
            userIds.kind(),
            itemIds.kind(),
            fields.ratings() ? histogram.counts() : Collections.emptySortedMap(),
            positives.span(),
            positives.perPart());
    SparseCells cells = positives.cells(context.allocator());
    return new Dataset(
        cells, negatives, userIds, itemIds, positives.times(), positives.parts(), summary);
  }
}
