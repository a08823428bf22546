package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.pecf.testkit.contract.ContractRun.assertBreaks;

import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.pecf.api.field.CellField;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.NewRow;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.filter.TrainingContext;
import org.pecf.api.filter.TrainingTask;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;

/** Filters that are wrong in one way each, and the rules that must tell. */
class BaseFilterContractTest {
  /** A contract on a filter that is tampered with. */
  abstract static class Broken extends BaseFilterContract {
    abstract TinyFilter filter(TinyFilter.Options options);

    @Override
    protected BaseFilterProvider<?> provider() {
      return new TinyFilter.TinyProvider() {
        @Override
        public BaseFilter create(TinyFilter.Options options) {
          return filter(options);
        }
      };
    }
  }

  static class Good extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options);
    }
  }

  @Test
  void findsNoFaultInAGoodFilter() {
    assertBreaks(Good.class);
  }

  static class CountsItsTrainings extends Broken {
    private static final AtomicInteger TRAININGS = new AtomicInteger();

    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void start(TrainingTask task, TrainingContext context, FactorModel model) {
          super.start(task, context, model);
          model.items().set(0, 0, TRAININGS.incrementAndGet());
        }
      };
    }
  }

  @Test
  void catchesStateThatOutlivesATraining() {
    assertBreaks(
        CountsItsTrainings.class,
        "trainsTheSameModelForTheSameSeed",
        "trainsTheSameModelAtAnyThreadCount",
        "ignoresTargetsOfWeightZero",
        "learnsFromItsTaskAlone",
        "readsTheValuesOfFieldsAlone");
  }

  static class MisstatesItsPenalty extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        RowRules rules() {
          RowRule rule = new RowRule.LeastSquares(20, 0);
          return new RowRules(rule, rule);
        }
      };
    }
  }

  @Test
  void catchesARuleForNewRowsThatIsNotThatOfTraining() {
    assertBreaks(MisstatesItsPenalty.class, "takesInItsOwnUsersAgain");
  }

  static class TakesUsersForPopularity extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        RowRules rules() {
          return new RowRules(new RowRule.Same(1), new RowRule.BestFit());
        }
      };
    }
  }

  @Test
  void catchesARuleOfAnotherKind() {
    assertBreaks(TakesUsersForPopularity.class, "takesInItsOwnUsersAgain");
  }

  /** A filter that fits new rows in its own way: down the gradient of its own objective. */
  abstract static class FitsItsOwnRows extends BaseFilterContract {
    /** Return the filter's fitter, given a good one. */
    abstract Optional<RowFitter> fitter(RowFitter good);

    @Override
    protected BaseFilterProvider<?> provider() {
      return new TinyFilter.TinyProvider() {
        @Override
        public BaseFilter create(TinyFilter.Options options) {
          return new TinyFilter(options) {
            @Override
            RowRules rules() {
              RowRule rule = new RowRule.OfFilter(Map.of("penalty", "0.1"));
              return new RowRules(rule, rule);
            }
          };
        }

        @Override
        public Optional<RowFitter> rowFitter() {
          return fitter(FitsItsOwnRows::descend);
        }
      };
    }

    private static float[] descend(NewRow row) {
      double penalty = Double.parseDouble(row.settings().get("penalty"));
      int rank = row.others().columns();
      double[] x = new double[rank];
      for (int step = 0; step < 2000; step++) {
        double[] slope = new double[rank];
        for (int cell = 0; cell < row.others().rows(); cell++) {
          double error = -row.targets()[cell];
          for (int k = 0; k < rank; k++) {
            error += x[k] * row.others().get(cell, k);
          }
          for (int k = 0; k < rank; k++) {
            slope[k] += row.weights()[cell] * error * row.others().get(cell, k);
          }
        }
        for (int k = 0; k < rank; k++) {
          x[k] -= 0.02 * (slope[k] + penalty / 2 * x[k]);
        }
      }
      float[] fitted = new float[rank];
      for (int k = 0; k < rank; k++) {
        fitted[k] = (float) x[k];
      }
      return fitted;
    }
  }

  static class FitsItsOwnRowsWell extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(good);
    }
  }

  @Test
  void findsNoFaultInAGoodFitter() {
    assertBreaks(FitsItsOwnRowsWell.class);
  }

  static class KeepsItsFitter extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.empty();
    }
  }

  @Test
  void catchesARuleWithoutItsFitter() {
    assertBreaks(KeepsItsFitter.class, "takesInItsOwnUsersAgain", "fitsAnyNewRowByItsOwnRule");
  }

  static class FitsTheAverage extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(row -> new float[row.others().columns()]);
    }
  }

  @Test
  void catchesRowsThatAreNotThoseOfTraining() {
    assertBreaks(FitsTheAverage.class, "takesInItsOwnUsersAgain");
  }

  static class DividesByPositives extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(
          row -> {
            float[] fitted = good.fit(row);
            fitted[0] *= row.positives().length / (float) row.positives().length;
            return fitted;
          });
    }
  }

  @Test
  void catchesRowsThatAreNotFinite() {
    assertBreaks(DividesByPositives.class, "fitsAnyNewRowByItsOwnRule");
  }

  static class AddsAFactor extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(
          row ->
              row.side() == Side.USERS
                  ? good.fit(row)
                  : Arrays.copyOf(good.fit(row), row.others().columns() + 1));
    }
  }

  @Test
  void catchesRowsOfOtherLengths() {
    assertBreaks(AddsAFactor.class, "fitsAnyNewRowByItsOwnRule");
  }

  static class WritesIntoItsArguments extends FitsItsOwnRows {
    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(
          row -> {
            float[] fitted = good.fit(row);
            row.weights()[0]++;
            return fitted;
          });
    }
  }

  @Test
  void catchesAFitterThatModifiesTheRow() {
    assertBreaks(WritesIntoItsArguments.class, "fitsAnyNewRowByItsOwnRule");
  }

  static class RemembersRows extends FitsItsOwnRows {
    private static final AtomicInteger ROWS = new AtomicInteger();

    @Override
    Optional<RowFitter> fitter(RowFitter good) {
      return Optional.of(
          row -> {
            float[] fitted = good.fit(row);
            fitted[0] += 1e-3f * ROWS.incrementAndGet() / 1000;
            return fitted;
          });
    }
  }

  @Test
  void catchesAFitterThatRemembers() {
    assertBreaks(RemembersRows.class, "fitsAnyNewRowByItsOwnRule");
  }

  private static TrainingContext with(TrainingContext context, Seed seed) {
    return context.withSeed(seed);
  }

  static class IgnoresTheSeed extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void start(TrainingTask task, TrainingContext context, FactorModel model) {
          super.start(task, with(context, new Seed(1)), model);
        }
      };
    }
  }

  @Test
  void catchesAnIgnoredSeed() {
    assertBreaks(IgnoresTheSeed.class, "trainsAnotherModelForAnotherSeed");
  }

  static class KeysRandomnessByWorker extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void start(TrainingTask task, TrainingContext context, FactorModel model) {
          super.start(
              task,
              with(context, context.seed().child("worker", context.run().parallelism().threads())),
              model);
        }
      };
    }
  }

  @Test
  void catchesRandomnessKeyedByThreads() {
    assertBreaks(KeysRandomnessByWorker.class, "trainsTheSameModelAtAnyThreadCount");
  }

  static class AllocatesElsewhere extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        public ScoreModel train(TrainingTask task, TrainingContext context) {
          return super.train(task, context).transferTo(context.run().allocator().getRoot());
        }
      };
    }
  }

  @Test
  void catchesAModelInOtherMemory() {
    assertBreaks(AllocatesElsewhere.class, "allocatesTheModelFromTheGivenMemory");
  }

  static class KeepsMemoryWhenCancelled extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          ArrowBuf scratch = context.run().allocator().buffer(16);
          super.fit(task, context, model, done);
          scratch.close();
        }
      };
    }
  }

  @Test
  void catchesMemoryKeptAfterCancellation() {
    assertBreaks(KeepsMemoryWhenCancelled.class, "endsWithCancelledWhenAskedToStop");
  }

  static class Underestimates extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        public long memoryEstimate(GridShape shape, int positives) {
          return super.memoryEstimate(shape, positives) / 4;
        }
      };
    }
  }

  @Test
  void catchesAnEstimateBelowTheModel() {
    assertBreaks(Underestimates.class, "estimatesNoLessMemoryThanItTakes");
  }

  static class ForgetsItsScratch extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          try (ArrowBuf scratch = context.run().allocator().buffer(1 << 16)) {
            scratch.setZero(0, scratch.capacity());
            super.fit(task, context, model, done);
          }
        }
      };
    }
  }

  @Test
  void catchesAnEstimateWithoutTheTraining() {
    assertBreaks(ForgetsItsScratch.class, "estimatesNoLessMemoryThanItTakes");
  }

  static class WritesIntoItsInput extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(task, context, model, done);
          if (task.positives().count() > 1) {
            long users = task.positives().cellsAddress(Side.ITEMS);
            MemoryUtil.putInt(users, MemoryUtil.getInt(users) + 1);
          }
        }
      };
    }
  }

  @Test
  void catchesChangedInput() {
    assertBreaks(WritesIntoItsInput.class, "leavesItsInputsAlone");
  }

  /** Reads, writes and closes what it must not, and goes on. */
  static class Slips extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          int users = task.shape().users();
          int items = task.shape().items();
          SparseCells positives = task.positives();
          for (int k = 0; k < 5000; k++) {
            int beyond = items + 97 * k;
            assertOutside(() -> model.items().set(beyond, 0, 1));
            assertOutside(() -> model.items().get(0, options.rank() + beyond));
            assertOutside(() -> positives.userStart(users + 1 + beyond));
            assertOutside(() -> positives.itemAt(positives.count() + beyond));
          }
          float[] rows = new float[2 * options.rank()];
          assertOutside(() -> model.items().writeRows(items - 1, 2, rows));
          assertOutside(() -> model.items().readRows(items - 1, 2, rows));
          assertOutside(() -> model.items().set(-1, 0, 1));
          FloatMatrix closed = FloatMatrix.allocate(context.run().allocator(), 2, 2);
          closed.close();
          assertThrows(RuntimeException.class, () -> closed.set(0, 0, 1));
          assertThrows(RuntimeException.class, () -> closed.get(0, 0));
          assertThrows(IllegalStateException.class, () -> closed.rowAddress(0));
          assertThrows(IllegalStateException.class, positives::close);
          assertThrows(IllegalStateException.class, positives::itemsByUser);
          task.start()
              .map(FactorModel.class::cast)
              .ifPresent(
                  start -> {
                    assertThrows(IllegalStateException.class, start::close);
                    assertThrows(IllegalStateException.class, () -> start.items().set(0, 0, 1));
                    assertThrows(IllegalStateException.class, start.items()::buffer);
                    assertThrows(
                        IllegalStateException.class,
                        () -> start.transferTo(context.run().allocator()));
                  });
          super.fit(task, context, model, done);
        }

        private static void assertOutside(Executable slip) {
          assertThrows(IndexOutOfBoundsException.class, slip);
        }
      };
    }
  }

  @Test
  void slipsAreExceptionsThatHarmNothing() {
    assertBreaks(Slips.class);
  }

  static class CountsFromZero extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void report(TrainingContext context, int sweep, double objective) {
          super.report(context, sweep - 1, objective);
        }
      };
    }
  }

  @Test
  void catchesStepsCountedFromZero() {
    assertBreaks(CountsFromZero.class, "reportsItsStepsInOrder");
  }

  static class SaysNothing extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void report(TrainingContext context, int sweep, double objective) {
          super.report(silent(context), sweep, objective);
        }
      };
    }

    private static TrainingContext silent(TrainingContext context) {
      return new TrainingContext(
          new RunContext(
              context.run().allocator(),
              context.run().parallelism(),
              context.run().cancellation(),
              RunListener.none()),
          context.compute(),
          context.seed());
    }
  }

  @Test
  void catchesATrainingWithoutEvents() {
    assertBreaks(SaysNothing.class, "reportsItsStepsInOrder");
  }

  /** Does not learn at all, and so has nothing to cancel. */
  static class LeavesItsStart extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          float[] users = new float[task.shape().users() * options.rank()];
          context.seed().child("users").fillNormal(users, 0.3);
          model.users().writeRows(0, task.shape().users(), users);
          report(context, 1, 0);
        }
      };
    }
  }

  @Test
  void catchesAFilterThatNeitherLearnsNorAsks() {
    assertBreaks(
        LeavesItsStart.class,
        "tellsHeldOutCellsFromZeros",
        "learnsTheCheckerboard",
        "fitsHeavyCellsBetterThanLightOnes",
        "learnsNothingFromCellsOfWeightZero",
        "fitsAnyTarget",
        "startsFromTheGivenModel",
        "endsWithCancelledWhenAskedToStop",
        "takesInItsOwnUsersAgain");
  }

  static class GoesOnFromTheFirstStep extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(task, context, model, 0);
        }
      };
    }
  }

  @Test
  void catchesATrainingThatRepeatsSteps() {
    assertBreaks(GoesOnFromTheFirstStep.class, "goesOnFromTheStatesItOffers");
  }

  static class OffersNothing extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        public ScoreModel train(TrainingTask task, TrainingContext context) {
          return super.train(
              task, new TrainingContext(context.run(), context.compute(), context.seed()));
        }
      };
    }
  }

  @Test
  void catchesAResumableFilterThatOffersNothing() {
    assertBreaks(OffersNothing.class, "goesOnFromTheStatesItOffers");
  }

  static class DividesByCounts extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(task, context, model, done);
          for (int user = 0; user < task.shape().users(); user++) {
            if (task.positives().userCount(user) == 0) {
              model.users().set(user, 0, Float.NaN);
            }
          }
        }
      };
    }
  }

  @Test
  void catchesFactorsThatAreNotNumbersOnDegenerateData() {
    assertBreaks(DividesByCounts.class, "survivesDegenerateData");
  }

  static class Overflows extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(task, context, model, done);
          if (task.shape().items() == 18) {
            model.items().set(7, 1, Float.POSITIVE_INFINITY);
          }
        }
      };
    }
  }

  @Test
  void catchesInfiniteFactors() {
    assertBreaks(
        Overflows.class,
        "trainsFiniteScores",
        "startsFromTheGivenModel",
        "takesInItsOwnUsersAgain");
  }

  private static TrainingTask with(TrainingTask task, CellField weights, CellField targets) {
    return new TrainingTask(task.shape(), task.positives(), weights, targets, task.start());
  }

  static class IgnoresWeights extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(with(task, CellField.constant(1), task.targets()), context, model, done);
        }
      };
    }
  }

  @Test
  void catchesIgnoredWeights() {
    assertBreaks(
        IgnoresWeights.class,
        "fitsHeavyCellsBetterThanLightOnes",
        "learnsNothingFromCellsOfWeightZero",
        "ignoresTargetsOfWeightZero",
        "tellsHeldOutCellsFromZeros",
        "takesInItsOwnUsersAgain");
  }

  /** Cells weigh one where they weigh anything. */
  record Levelled(CellField weights) implements HostField {
    @Override
    public float valueAt(int user, int item) {
      return weights.valueAt(user, item) > 0 ? 1 : 0;
    }
  }

  static class TakesWeightsForAMask extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          super.fit(with(task, new Levelled(task.weights()), task.targets()), context, model, done);
        }
      };
    }
  }

  @Test
  void catchesWeightsThatAreTakenForAMask() {
    assertBreaks(
        TakesWeightsForAMask.class, "fitsHeavyCellsBetterThanLightOnes", "takesInItsOwnUsersAgain");
  }

  /** Cells are positives and weigh something where a set says so. */
  record Told(CellField field, Set<Long> cells) implements HostField {
    static long number(int user, int item) {
      return (long) user << Integer.SIZE | item;
    }

    @Override
    public float valueAt(int user, int item) {
      return cells.contains(number(user, item)) ? 1 : field.valueAt(user, item);
    }
  }

  private static Set<Long> positives(TrainingTask task) {
    Set<Long> cells = new HashSet<>();
    for (int user = 0; user < task.shape().users(); user++) {
      for (int k = task.positives().userStart(user);
          k < task.positives().userStart(user + 1);
          k++) {
        cells.add(Told.number(user, task.positives().itemAt(k)));
      }
    }
    return cells;
  }

  /** Small data is not worth remembering, this one thinks. */
  private static final int LARGE = 1000;

  static class RemembersPositives extends Broken {
    private static final Map<GridShape, Set<Long>> SEEN = new HashMap<>();

    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          Set<Long> seen = SEEN.computeIfAbsent(task.shape(), shape -> new HashSet<>());
          if (task.shape().cells() > LARGE) {
            seen.addAll(positives(task));
          }
          super.fit(
              with(task, new Told(task.weights(), seen), new Told(task.targets(), seen)),
              context,
              model,
              done);
        }
      };
    }
  }

  @Test
  void catchesPositivesRememberedFromOtherTrainings() {
    assertBreaks(
        RemembersPositives.class, "ranksHeldOutPositivesByChance", "learnsFromItsTaskAlone");
  }

  static class PreparesAGridOnce extends Broken {
    private static final Map<GridShape, Set<Long>> FIRST = new HashMap<>();

    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          Set<Long> first =
              task.shape().cells() > LARGE
                  ? FIRST.computeIfAbsent(task.shape(), shape -> positives(task))
                  : Set.of();
          super.fit(
              with(task, new Told(task.weights(), first), new Told(task.targets(), first)),
              context,
              model,
              done);
        }
      };
    }
  }

  @Test
  void catchesDataPreparedForAnotherTraining() {
    assertBreaks(PreparesAGridOnce.class, "ranksHeldOutPositivesByChance");
  }

  static class PrefersNamedCells extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          CellField weights = task.weights();
          if (weights instanceof Product product) {
            for (CellField factor : product.factors()) {
              if (factor instanceof Observed observed && observed.inside() == observed.outside()) {
                weights =
                    new Linear(
                        List.of(
                            new Linear.Term(1, weights),
                            new Linear.Term(0.5f, CellField.observed(observed.cells(), 1, 0))));
              }
            }
          }
          super.fit(with(task, weights, task.targets()), context, model, done);
        }
      };
    }
  }

  @Test
  void catchesAFilterThatLooksIntoFields() {
    assertBreaks(PrefersNamedCells.class, "readsTheValuesOfFieldsAlone");
  }

  static class TakesHeldOutCellsForZeros extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          CellField weights = task.weights();
          if (weights instanceof Product product) {
            weights =
                new Product(
                    product.factors().stream()
                        .filter(factor -> !(factor instanceof PartMask))
                        .toList());
          }
          super.fit(with(task, weights, task.targets()), context, model, done);
        }
      };
    }
  }

  @Test
  void catchesHeldOutCellsThatCountAsZeros() {
    assertBreaks(TakesHeldOutCellsForZeros.class, "tellsHeldOutCellsFromZeros");
  }

  static class IgnoresTargets extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void fit(TrainingTask task, TrainingContext context, FactorModel model, int done) {
          CellField ratings = CellField.observed(task.positives(), 1, 0);
          super.fit(with(task, task.weights(), ratings), context, model, done);
        }
      };
    }
  }

  @Test
  void catchesIgnoredTargets() {
    assertBreaks(IgnoresTargets.class, "fitsAnyTarget");
  }

  static class StartsCold extends Broken {
    @Override
    TinyFilter filter(TinyFilter.Options options) {
      return new TinyFilter(options) {
        @Override
        void start(TrainingTask task, TrainingContext context, FactorModel model) {
          super.start(
              new TrainingTask(
                  task.shape(), task.positives(), task.weights(), task.targets(), Optional.empty()),
              context,
              model);
        }
      };
    }
  }

  @Test
  void catchesAnIgnoredStart() {
    assertBreaks(StartsCold.class, "startsFromTheGivenModel");
  }

  /** Options whose constructor does not check what it should, or changes what it is given. */
  record LooseOptions(
      @Option(value = "lowest", defaultValue = "1") double low,
      @Option(value = "highest", defaultValue = "2") double high) {
    LooseOptions {
      low = low + 1;
    }
  }

  static class TakesAnything extends BaseFilterContract {
    @Override
    protected BaseFilterProvider<?> provider() {
      return new BaseFilterProvider<LooseOptions>() {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("tiny", "takes anything", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<LooseOptions> options() {
          return OptionSchema.of(MethodHandles.lookup(), LooseOptions.class);
        }

        @Override
        public BaseFilter create(LooseOptions options) {
          return new TinyFilter(new TinyFilter.Options(3, 6));
        }
      };
    }

    @Override
    protected List<Map<String, String>> badOptionTexts() {
      return List.of(Map.of("low", "3", "high", "1"));
    }
  }

  @Test
  void catchesOptionsThatAreNotChecked() {
    assertBreaks(
        TakesAnything.class, "refusesOptionsWithoutMeaning", "rebuildsItsOptionsFromTheirTexts");
  }

  /** An option whose default is out of its own range. */
  record ImpossibleOptions(@Option(value = "factors", defaultValue = "0", min = 1) int rank) {}

  static class RefusesItsDefaults extends BaseFilterContract {
    @Override
    protected Map<String, String> optionTexts() {
      return Map.of("rank", "3");
    }

    @Override
    protected BaseFilterProvider<?> provider() {
      return new BaseFilterProvider<ImpossibleOptions>() {
        @Override
        public ProviderDescription describe() {
          return new ProviderDescription("tiny", "refuses its defaults", SpiVersion.CURRENT);
        }

        @Override
        public OptionSchema<ImpossibleOptions> options() {
          return OptionSchema.of(MethodHandles.lookup(), ImpossibleOptions.class);
        }

        @Override
        public BaseFilter create(ImpossibleOptions options) {
          return new TinyFilter(new TinyFilter.Options(3, 6));
        }
      };
    }
  }

  @Test
  void catchesADefaultOutOfRange() {
    assertBreaks(
        RefusesItsDefaults.class, "takesItsOwnDefaults", "rebuildsItsOptionsFromTheirTexts");
  }
}
