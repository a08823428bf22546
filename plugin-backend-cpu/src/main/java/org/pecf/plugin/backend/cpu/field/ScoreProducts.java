package org.pecf.plugin.backend.cpu.field;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.run.Parallelism;
import org.pecf.backend.algebra.Worker;
import org.pecf.backend.field.FactorSums;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.leastsquares.FactorProducts;
import org.pecf.backend.leastsquares.Gramians;

/**
 * The sums over all cells of products of two models' scores, from Gramians that all workers
 * compute. Those of models that do not change, because their combination is kept, are remembered:
 * so a line search costs one product per member, not one per pair of members.
 */
public final class ScoreProducts implements FactorSums {
  private final Parallelism parallelism;
  private final Worker[] workers;
  private final Map<Pair, Double> known = new HashMap<>();
  private List<FactorModel> kept = List.of();

  public ScoreProducts(Parallelism parallelism, Worker[] workers) {
    this.parallelism = parallelism;
    this.workers = workers;
  }

  /** Take the models of a field for unchanging from now on, in place of those before. */
  public void keep(CellField field) {
    kept = ScoreCombination.ofScores(field).map(ScoreCombination::models).orElse(List.of());
    forgetOthers();
  }

  /** Forget the products of models that may change. */
  void forgetOthers() {
    known.keySet().removeIf(pair -> !keeps(pair.left()) || !keeps(pair.right()));
  }

  private boolean keeps(FactorModel model) {
    return kept.contains(model);
  }

  @Override
  public double[] columnSums(FloatMatrix matrix) {
    return FactorProducts.columnSums(matrix);
  }

  @Override
  public double[] gramianProducts(List<Pair> pairs) {
    Set<Pair> missing = new LinkedHashSet<>();
    for (Pair pair : pairs) {
      if (!known.containsKey(pair)
          && !known.containsKey(mirrored(pair))
          && !missing.contains(mirrored(pair))) {
        missing.add(pair);
      }
    }
    List<Pair> computed = List.copyOf(missing);
    double[] products = new double[computed.size()];
    parallelism.forEach(
        products.length,
        (index, number) -> products[index] = product(workers[number], computed.get(index)));
    for (int k = 0; k < products.length; k++) {
      known.put(computed.get(k), products[k]);
    }
    return pairs.stream()
        .mapToDouble(pair -> known.getOrDefault(pair, known.get(mirrored(pair))))
        .toArray();
  }

  private static Pair mirrored(Pair pair) {
    return new Pair(pair.right(), pair.left());
  }

  private static double product(Worker worker, Pair pair) {
    Gramians gramians = Gramians.of(worker);
    double[] users = gramians.product(pair.left().users(), pair.right().users());
    double[] items = gramians.product(pair.left().items(), pair.right().items());
    double product = 0;
    for (int k = 0; k < users.length; k++) {
      product += users[k] * items[k];
    }
    return product;
  }
}
