package org.pecf.engine.evaluate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.pecf.api.data.Part;
import org.pecf.api.field.CellPartition;
import org.pecf.engine.data.split.Confidence;

/** Compute every metric from whole grids and whole lists. */
final class NaiveMetrics {
  private NaiveMetrics() {}

  static Map<String, Double> of(
      int[][] grid,
      float[][] scores,
      Optional<CellPartition> partition,
      Part measured,
      CandidatePolicy policy,
      Confidence confidence,
      int... cutoffs) {
    int part = measured.ordinal();
    int items = grid[0].length;
    Map<String, Double> sums = new TreeMap<>();
    Map<Integer, Set<Integer>> shown = new TreeMap<>();
    int counted = 0;
    double squares = 0;
    double weights = 0;
    for (int user = 0; user < grid.length; user++) {
      List<Integer> list = new ArrayList<>();
      Set<Integer> positives = new HashSet<>();
      for (int item = 0; item < items; item++) {
        int number = grid[user][item];
        boolean inPart =
            partition.isPresent() ? partition.get().partOf(user, item) == measured : number == part;
        if (number == part) {
          positives.add(item);
        }
        boolean candidate =
            switch (policy) {
              case ALL_BUT_TRAINING -> number != 0 || part == 0;
              case ALL_BUT_KNOWN -> number == -1 || number >= part;
              case PART_CELLS -> inPart;
              case ALL -> true;
            };
        if (candidate) {
          list.add(item);
        }
        if (inPart || partition.isEmpty() && (number == -1 || number > part)) {
          double c = number == part ? confidence.positive() : confidence.zero();
          double error = (number == part ? 1 : 0) - scores[user][item];
          squares += c * error * error;
          weights += c;
        }
      }
      if (positives.isEmpty()) {
        continue;
      }
      counted++;
      float[] row = scores[user];
      list.sort(
          Comparator.<Integer>comparingDouble(item -> -row[item])
              .thenComparing(Comparator.naturalOrder()));
      for (int cutoff : cutoffs) {
        List<Integer> top = list.subList(0, Math.min(cutoff, list.size()));
        shown.computeIfAbsent(cutoff, key -> new HashSet<>()).addAll(top);
        double hits = top.stream().filter(positives::contains).count();
        double gain = 0;
        double ideal = 0;
        double precisions = 0;
        double first = 0;
        for (int place = 1; place <= top.size(); place++) {
          if (positives.contains(top.get(place - 1))) {
            gain += Math.log(2) / Math.log(place + 1);
            precisions +=
                top.subList(0, place).stream().filter(positives::contains).count() / (double) place;
            first = first == 0 ? 1.0 / place : first;
          }
        }
        int attainable = Math.min(cutoff, positives.size());
        for (int place = 1; place <= attainable; place++) {
          ideal += Math.log(2) / Math.log(place + 1);
        }
        sums.merge("recall@" + cutoff, hits / positives.size(), Double::sum);
        sums.merge("truncated-recall@" + cutoff, hits / attainable, Double::sum);
        sums.merge("precision@" + cutoff, hits / cutoff, Double::sum);
        sums.merge("ndcg@" + cutoff, gain / ideal, Double::sum);
        sums.merge("map@" + cutoff, precisions / attainable, Double::sum);
        sums.merge("mrr@" + cutoff, first, Double::sum);
        sums.merge("hit-rate@" + cutoff, hits > 0 ? 1.0 : 0.0, Double::sum);
      }
    }
    int users = counted;
    sums.replaceAll((key, sum) -> sum / users);
    shown.forEach(
        (cutoff, covered) -> sums.put("coverage@" + cutoff, covered.size() / (double) items));
    sums.put("wmse", squares / weights);
    return sums;
  }
}
