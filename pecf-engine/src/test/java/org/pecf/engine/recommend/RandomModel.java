package org.pecf.engine.recommend;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.model.KnownCells;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.StoredModel;
import org.pecf.testkit.fixture.SparseProducts;

/**
 * A model of random members, factors of the given ranks and, for rank 0, a sparse product; user k
 * has the id 1000 + k, item k the id 10 k.
 */
final class RandomModel {
  private RandomModel() {}

  static StoredModel of(int users, int items, long seed, BufferAllocator allocator, int... ranks) {
    Random random = new Random(seed);
    GridShape shape = new GridShape(users, items);
    Ensemble ensemble = new Ensemble(shape);
    for (int k = 0; k < ranks.length; k++) {
      MemberFit fit =
          MemberFit.of(
              new Confidence(1, 0.1f),
              k == 0 ? new WeightRule.Plain() : new WeightRule.Posterior(5, 0.5f, 2),
              k == 2,
              Arrays.stream(ensemble.weights()).boxed().toList());
      ensemble.add(
          ranks[k] > 0
              ? factors(shape, ranks[k], random, allocator)
              : SparseProducts.random(allocator, shape, Side.ITEMS, 0.02, seed + k),
          "wmf",
          Combination.CONVEX,
          k == 0 ? 1 : 0.3,
          Optional.of(fit));
    }
    int[] cellUsers = new int[users * items];
    int[] cellItems = new int[users * items];
    int count = 0;
    for (int user = 0; user < users; user++) {
      for (int item = 0; item < items; item++) {
        if (random.nextInt(5) == 0) {
          cellUsers[count] = user;
          cellItems[count++] = item;
        }
      }
    }
    SparseCells known = SparseCells.ofSorted(allocator, users, items, count, cellUsers, cellItems);
    int trained = 0;
    for (int k = 0; k < count; k++) {
      if (k % 3 > 0) {
        cellUsers[trained] = cellUsers[k];
        cellItems[trained++] = cellItems[k];
      }
    }
    SparseCells training =
        SparseCells.ofSorted(allocator, users, items, trained, cellUsers, cellItems);
    SparseCells alsoKnown = KnownCells.of(List.of(known, known), training, allocator);
    known.close();
    return new StoredModel(
        ensemble,
        ids(Side.USERS, users, 1000, 1, allocator),
        ids(Side.ITEMS, items, 0, 10, allocator),
        training,
        alsoKnown,
        new ModelDescription(
            "0.1.0",
            Instant.EPOCH,
            true,
            seed,
            "abc",
            "{}",
            Map.of(),
            Map.of(),
            ModelDescription.THIS_MODEL));
  }

  private static FactorModel factors(
      GridShape shape, int rank, Random random, BufferAllocator allocator) {
    FactorModel factors = FactorModel.allocate(allocator, shape, rank);
    fill(factors.users(), random);
    fill(factors.items(), random);
    return factors;
  }

  private static void fill(FloatMatrix matrix, Random random) {
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        matrix.set(row, column, (float) random.nextGaussian());
      }
    }
  }

  private static IdMap ids(Side side, int count, int first, int step, BufferAllocator allocator) {
    BigIntVector ids = new BigIntVector("id", allocator);
    ids.allocateNew(count);
    for (int k = 0; k < count; k++) {
      ids.set(k, first + (long) k * step);
    }
    ids.setValueCount(count);
    return IdMap.of(side, ids);
  }
}
