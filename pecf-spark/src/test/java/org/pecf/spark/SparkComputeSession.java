package org.pecf.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.compute.LeastSquares;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.MatrixKernels;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Score;
import org.pecf.api.field.ValueRange;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.backend.leastsquares.Background;
import org.pecf.backend.leastsquares.PathChoice;
import org.pecf.testkit.reference.ReferenceComputeSession;

/**
 * A session that solves least squares by the half-sweeps of Spark, and ranks by its models. What
 * Spark has no counterpart to is computed by its definition, on the driver.
 */
final class SparkComputeSession implements ComputeSession {
  private static final StructType FEATURES =
      new StructType()
          .add("id", DataTypes.LongType, false)
          .add("features", DataTypes.createArrayType(DataTypes.FloatType, false), false);

  private static final StructType CELLS =
      new StructType()
          .add("user", DataTypes.LongType, false)
          .add("item", DataTypes.LongType, false);

  private final SessionContext context;
  private final GridShape shape;
  private final ComputeSession reference;
  private final SparkSession spark = Sessions.local();

  SparkComputeSession(SessionContext context) {
    this.context = context;
    this.shape = context.shape();
    this.reference = new ReferenceComputeSession(context);
  }

  @Override
  public FieldKernels fields() {
    return reference.fields();
  }

  @Override
  public MatrixKernels matrices() {
    return reference.matrices();
  }

  @Override
  public PairwiseSgd pairwise(PairwiseRequest request) {
    return reference.pairwise(request);
  }

  @Override
  public LeastSquares leastSquares(LeastSquaresRequest request) {
    LeastSquares problem =
        PathChoice.prepare(
            context,
            request,
            1,
            new PathChoice.Paths() {
              @Override
              public LeastSquares dense(String reason) {
                return SparkLeastSquares.dense(shape, request, reason);
              }

              @Override
              public Optional<LeastSquares> corrected(
                  Background background, long most, String reason) {
                // Zeros of the background have targets of zero on Spark.
                boolean zero = background.targets().background(1).equals(ValueRange.of(0));
                return zero
                    ? Optional.of(SparkLeastSquares.corrected(shape, request, background, reason))
                    : Optional.empty();
              }

              @Override
              public boolean takesItems() {
                return false;
              }

              @Override
              public double room() {
                return shape.cells();
              }
            });
    context.run().listener().on(problem.plan());
    return problem;
  }

  @Override
  public RankedItems rank(RankingRequest request) {
    PecfModel model =
        new PecfModel("ranked")
            .with(
                new EnsembleContent(
                    features(request.scores(), true),
                    features(request.scores(), false),
                    List.of(MemberReport.plain()),
                    Map.of()));
    List<Row> users = new ArrayList<>();
    List<Row> barred = new ArrayList<>();
    for (int row = 0; row < request.users(); row++) {
      long user = request.firstUser() + row;
      users.add(RowFactory.create(user, 0L));
      for (int item = 0; item < shape.items(); item++) {
        int theItem = item;
        boolean excluded =
            request.excluded().stream().anyMatch(set -> set.contains((int) user, theItem))
                || request.candidates().isPresent()
                    && request.candidates().get().valueAt((int) user, item) == 0;
        if (excluded) {
          barred.add(RowFactory.create(user, (long) item));
        }
      }
    }
    RankedItems ranked =
        RankedItems.allocate(context.run().allocator(), request.users(), request.depth());
    for (Row row :
        model
            .recommendUnknown(
                spark.createDataFrame(users, CELLS),
                spark.createDataFrame(barred, CELLS),
                request.depth())
            .collectAsList()) {
      List<Row> list = row.getList(1);
      int[] items = list.stream().mapToInt(entry -> (int) entry.getLong(0)).toArray();
      float[] scores = new float[items.length];
      for (int k = 0; k < scores.length; k++) {
        scores[k] = list.get(k).getFloat(1);
      }
      ranked.set((int) row.getLong(0) - request.firstUser(), items.length, items, scores);
    }
    return ranked;
  }

  /** Return the features of a side: those of all models, or scores and unit vectors. */
  private Dataset<Row> features(CellField scores, boolean users) {
    List<Linear.Term> terms =
        scores instanceof Linear linear ? linear.terms() : List.of(new Linear.Term(1, scores));
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < (users ? shape.users() : shape.items()); row++) {
      List<Float> features = new ArrayList<>();
      for (Linear.Term term : terms) {
        if (term.field() instanceof Score score) {
          FactorModel model = score.model();
          for (int k = 0; k < model.rank(); k++) {
            features.add(
                users ? model.users().get(row, k) : term.coefficient() * model.items().get(row, k));
          }
        } else {
          for (int item = 0; item < shape.items(); item++) {
            features.add(
                users
                    ? term.coefficient() * term.field().valueAt(row, item)
                    : item == row ? 1f : 0f);
          }
        }
      }
      rows.add(RowFactory.create((long) row, features.toArray(Float[]::new)));
    }
    return spark.createDataFrame(rows, FEATURES);
  }

  @Override
  public void close() {
    reference.close();
  }
}
