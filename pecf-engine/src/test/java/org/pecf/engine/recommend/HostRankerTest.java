package org.pecf.engine.recommend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.testkit.fixture.SparseProducts;

class HostRankerTest {
  private static final int USERS = 4;
  private static final int ITEMS = 2500;

  /** What factors are like. */
  private enum Factors {
    NORMAL,
    FALLING_NORMS,
    EQUAL_NORMS,
    SMALL_INTEGERS,
    FEW_VALUES_OF_ALL_SIZES,
    ZEROS,
    NEGATIVE_SCORES,
    NEARLY_EQUAL_SCORES,
    NOT_ALL_FINITE,
    OVERFLOWING,
    TINY;

    float next(Random random, Side side, int row) {
      float normal = (float) random.nextGaussian();
      return switch (this) {
        case NORMAL -> normal;
        case FALLING_NORMS -> side == Side.ITEMS ? normal / (1 + row % 97) : normal;
        case EQUAL_NORMS -> random.nextBoolean() ? 0.3f : -0.3f;
        case SMALL_INTEGERS -> random.nextInt(3) - 1;
        case FEW_VALUES_OF_ALL_SIZES ->
            random.nextInt(9) > 0 ? 0 : (float) Math.pow(10, random.nextInt(20) - 10) * normal;
        case ZEROS -> row % 2 == 0 ? 0 : -0f;
        case NEGATIVE_SCORES -> side == Side.ITEMS ? -Math.abs(normal) : Math.abs(normal);
        case NEARLY_EQUAL_SCORES -> 1 + Math.scalb(random.nextInt(3), -23);
        case NOT_ALL_FINITE ->
            switch (random.nextInt(4000)) {
              case 0 -> Float.NaN;
              case 1 -> Float.POSITIVE_INFINITY;
              case 2 -> Float.NEGATIVE_INFINITY;
              default -> normal;
            };
        case OVERFLOWING -> normal * (random.nextInt(100) == 0 ? 1e25f : 1e15f);
        case TINY -> normal * (side == Side.ITEMS ? 1e-23f : 1e-22f);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void listsAreThoseOfAllScoresInOrder(Factors factors) {
    check(factors, Factors.NORMAL, 1, 1, 7);
    check(factors, factors, -0.5, 16, 5);
    check(factors, Factors.NORMAL, 2, 33, 0);
    check(Factors.NORMAL, factors, -1e-3, 0, 4);
  }

  /** Compare the lists of two members, of which one of rank 0 is a sparse product. */
  private static void check(Factors first, Factors second, double weight, int... ranks) {
    GridShape shape = new GridShape(USERS, ITEMS);
    Random random = new Random(first.ordinal() + 100 * second.ordinal());
    try (BufferAllocator allocator = new RootAllocator();
        Ensemble ensemble = new Ensemble(shape);
        SparseCells known = cells(random, allocator);
        SparseCells alsoKnown = cells(random, allocator)) {
      ensemble.add(model(first, ranks[0], random, allocator), "one", Combination.CONVEX, 1);
      ensemble.add(model(second, ranks[1], random, allocator), "two", Combination.ADDITIVE, weight);
      BitSet few = new BitSet();
      IntStream.range(0, 40).forEach(k -> few.set(random.nextInt(ITEMS)));
      int[] users = IntStream.range(0, USERS).toArray();
      float[][] scores = scores(ensemble);
      List<HostRanker> rankers =
          Stream.of(Long.MAX_VALUE, 0L)
              .map(memory -> new HostRanker(ensemble, Optional.empty(), memory))
              .toList();
      for (List<SparseCells> excluded :
          List.of(List.<SparseCells>of(), List.of(known, alsoKnown))) {
        for (Optional<BitSet> candidates : List.of(Optional.<BitSet>empty(), Optional.of(few))) {
          int[][] ordered = new int[USERS][];
          for (int user = 0; user < USERS; user++) {
            ordered[user] = ordered(scores[user], user, excluded, candidates);
          }
          for (HostRanker ranker : rankers) {
            for (int depth : new int[] {1, 10, 100, ITEMS}) {
              for (Ranker.Ranked list : ranker.rank(users, depth, excluded, candidates)) {
                check(scores[list.user()], ordered[list.user()], depth, list);
              }
            }
          }
        }
      }
    }
  }

  private static float[][] scores(Ensemble ensemble) {
    float[][] scores = new float[USERS][ITEMS];
    for (int k = 0; k < ensemble.size(); k++) {
      float weight = (float) ensemble.weights()[k];
      ScoreModel model = ensemble.members().get(k).model();
      for (int user = 0; user < USERS; user++) {
        for (int item = 0; item < ITEMS; item++) {
          scores[user][item] += weight * model.scoreAt(user, item);
        }
      }
    }
    return scores;
  }

  private static int[] ordered(
      float[] scores, int user, List<SparseCells> excluded, Optional<BitSet> candidates) {
    return IntStream.range(0, ITEMS)
        .filter(item -> !Float.isNaN(scores[item]))
        .filter(item -> excluded.stream().noneMatch(cells -> cells.contains(user, item)))
        .filter(item -> candidates.isEmpty() || candidates.get().get(item))
        .boxed()
        // Zeros are equal, whatever their signs.
        .sorted(Comparator.comparing(item -> -(scores[item] + 0f)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static void check(float[] scores, int[] ordered, int depth, Ranker.Ranked actual) {
    int[] expected = Arrays.copyOf(ordered, Math.min(depth, ordered.length));
    assertArrayEquals(expected, actual.items());
    for (int place = 0; place < expected.length; place++) {
      assertEquals(scores[expected[place]] + 0f, actual.scores()[place]);
    }
  }

  private static ScoreModel model(
      Factors factors, int rank, Random random, BufferAllocator allocator) {
    GridShape shape = new GridShape(USERS, ITEMS);
    if (rank == 0) {
      return SparseProducts.random(allocator, shape, Side.ITEMS, 0.02, random.nextLong());
    }
    FactorModel model = FactorModel.allocate(allocator, shape, rank);
    for (Side side : Side.values()) {
      FloatMatrix matrix = model.side(side);
      for (int row = 0; row < matrix.rows(); row++) {
        for (int column = 0; column < rank; column++) {
          matrix.set(row, column, factors.next(random, side, row));
        }
      }
    }
    return model;
  }

  private static SparseCells cells(Random random, BufferAllocator allocator) {
    int[] users = new int[USERS * ITEMS];
    int[] items = new int[USERS * ITEMS];
    int count = 0;
    for (int cell = 0; cell < USERS * ITEMS; cell++) {
      if (random.nextInt(4) == 0) {
        users[count] = cell / ITEMS;
        items[count++] = cell % ITEMS;
      }
    }
    return SparseCells.ofSorted(allocator, USERS, ITEMS, count, users, items);
  }
}
