package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.StringIndexer;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.PecfException;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.model.ModelStore;
import scala.Option;

class PecfModelTest {
  private static final Positives POSITIVES = Positives.of(600, 300, 5);

  @TempDir static Path folder;
  private final SparkSession session = Sessions.local();
  private final Dataset<Row> ratings = POSITIVES.dataset(session);

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  private static Pecf estimator() {
    return new Pecf().setRank(8).setRounds(1).setIterations(3).setNumBlocks(2);
  }

  @Test
  void storedModelsPredictAndRecommendTheSame() throws Exception {
    PecfModel model = estimator().fit(ratings);
    String path = folder.resolve("stored").toString();
    model.write().overwrite().save(path);
    PecfModel loaded = PecfModel.load(path);
    assertArrayEquals(model.memberWeights(), loaded.memberWeights());
    List<Row> lists = model.recommendForAllUsers(5).sort("user").collectAsList();
    assertEquals(lists, loaded.recommendForAllUsers(5).sort("user").collectAsList());
    assertEquals(600, lists.size());

    // The first of a list is the best prediction of all items.
    long user = lists.get(17).getLong(0);
    Row best = (Row) lists.get(17).getList(1).get(0);
    Dataset<Row> all =
        ratings
            .select("item")
            .distinct()
            .withColumn("user", functions.lit(user))
            .select("user", "item");
    Row highest =
        loaded.transform(all).orderBy(functions.desc("prediction")).collectAsList().get(0);
    assertEquals(highest.getInt(1), best.getLong(0));
    assertEquals(highest.getFloat(2), best.getFloat(1), 1e-6f);
    assertEquals(
        List.of(lists.get(17)), loaded.recommendForUserSubset(all.limit(1), 5).collectAsList());
    assertEquals(model.itemFactors().count(), model.recommendForAllItems(3).count());
  }

  @Test
  void knownItemsAreLeftOut() {
    PecfModel model = estimator().fit(ratings);
    Dataset<Row> some = ratings.filter("user < 100").select("user").distinct();
    Map<Long, List<Object>> whole =
        model.recommendForUserSubset(some, 300).collectAsList().stream()
            .collect(Collectors.toMap(row -> row.getLong(0), row -> items(row)));
    List<Row> lists = model.recommendUnknown(some, ratings, 7).collectAsList();
    assertEquals(30, lists.size());
    for (Row list : lists) {
      long user = list.getLong(0);
      List<Object> expected = new ArrayList<>(whole.get(user));
      POSITIVES.cells().stream()
          .filter(cell -> cell[0] == user)
          .forEach(cell -> expected.remove((Object) (long) cell[1]));
      assertEquals(expected.subList(0, 7), items(list));
    }
  }

  private static List<Object> items(Row list) {
    return list.<Row>getList(1).stream().map(entry -> entry.get(0)).toList();
  }

  @Test
  void recallAndGainCountHitsAtTheirPlaces() {
    PecfModel model = estimator().fit(ratings);
    Dataset<Row> one = ratings.filter("user = 61").select("user").distinct();
    List<Object> list = items(model.recommendUnknown(one, ratings, 10).collectAsList().get(0));
    // Hits at places 2 and 3 of 3 held-out items, the third of which is not in the list.
    Dataset<Row> heldOut =
        one.selectExpr(
            "cast(user as bigint) as user",
            "explode(array(%s, %s, -1L)) as item".formatted(list.get(1) + "L", list.get(2) + "L"));
    RankingReport report = RankingReport.of(model, ratings, heldOut, 10, UserSample.ALL);
    assertEquals(1, report.users());
    assertEquals(2.0 / 3, report.recall(), 1e-12);
    double log = Math.log(2);
    double gain = log / Math.log(3) + log / Math.log(4);
    assertEquals(gain / (gain + 1), report.ndcg(), 1e-12);
  }

  @Test
  void aSampleOfUsersIsThatOfTheEngine() {
    PecfModel model = estimator().setConstruction("single").fit(ratings);
    Dataset<Row> heldOut =
        ratings.selectExpr("cast(user as bigint) as user", "cast(item as bigint) as item");
    Dataset<Row> none = heldOut.limit(0);
    RankingReport all = RankingReport.of(model, none, heldOut, 10, UserSample.ALL);
    UserSample sample = new UserSample(12, 5);
    RankingReport some = RankingReport.of(model, none, heldOut, 10, sample);
    List<Long> drawn =
        heldOut.select("user").distinct().collectAsList().stream()
            .map(row -> row.getLong(0))
            .sorted(Comparator.comparing(sample::order))
            .limit(12)
            .toList();
    RankingReport alone =
        RankingReport.of(
            model,
            none,
            heldOut.filter(functions.col("user").isInCollection(drawn)),
            10,
            UserSample.ALL);
    assertEquals(12, some.users());
    assertEquals(all.users(), some.allUsers());
    assertEquals(alone.recall(), some.recall());
    assertTrue(all.toString().contains("(standard error 0.0000)"), all.toString());
    assertFalse(some.toString().contains("(standard error 0.0000)"), some.toString());
    assertTrue(some.toString().endsWith("over 12 of " + all.users() + " users"), some.toString());
  }

  @Test
  void anUnknownUserIsNotPredicted() {
    PecfModel model = estimator().setConstruction("single").fit(ratings);
    Dataset<Row> unknown = ratings.limit(1).withColumn("user", functions.lit(1));
    assertTrue(Float.isNaN(model.transform(unknown).collectAsList().get(0).getFloat(3)));
    assertEquals(0, model.setColdStartStrategy("drop").transform(unknown).count());
  }

  @Test
  void exportedModelsAreOrdinaryOnes() {
    PecfModel model = estimator().fit(ratings);
    Path place = folder.resolve("exported");
    model.exportTo(place.toString(), ratings);
    assertTrue(ModelStore.describe(place).complete());
    assertThrows(PecfException.class, () -> model.exportTo(place.toString(), ratings));
  }

  @Test
  void textsAreNumberedInAPipelineWithCrossValidation() throws Exception {
    Dataset<Row> texts =
        ratings
            .withColumn("who", functions.concat(functions.lit("u"), functions.col("user")))
            .withColumn("what", functions.concat(functions.lit("i"), functions.col("item")));
    Pecf pecf =
        estimator()
            .setConstruction("single")
            .setUserCol("whoIndex")
            .setItemCol("whatIndex")
            .setColdStartStrategy("drop");
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  new StringIndexer()
                      .setInputCols(new String[] {"who", "what"})
                      .setOutputCols(new String[] {"whoIndex", "whatIndex"})
                      .setHandleInvalid("skip"),
                  pecf
                });
    ParamMap[] grid =
        new ParamGridBuilder().addGrid(pecf.lambda(), new double[] {0.5, 500}).build();
    CrossValidatorModel chosen =
        new CrossValidator()
            .setEstimator(pipeline)
            .setEstimatorParamMaps(grid)
            .setEvaluator(
                new RegressionEvaluator().setLabelCol("rating").setPredictionCol("prediction"))
            .setNumFolds(2)
            .setSeed(1)
            .fit(texts);
    assertTrue(chosen.avgMetrics()[0] < chosen.avgMetrics()[1], "a heavy penalty fits nothing");
    String path = folder.resolve("pipeline").toString();
    PipelineModel best = (PipelineModel) chosen.bestModel();
    best.write().overwrite().save(path);
    assertEquals(sum(best, texts), sum(PipelineModel.load(path), texts), 1e-6);
  }

  private static double sum(PipelineModel model, Dataset<Row> rows) {
    return model
        .transform(rows)
        .agg(functions.sum("prediction"))
        .collectAsList()
        .get(0)
        .getDouble(0);
  }

  @Test
  void mistakesAreNamed() throws Exception {
    String place = folder.resolve("estimator").toString();
    estimator().write().overwrite().save(place);
    refused("holds a stored Pecf, not a model", () -> PecfModel.load(place));
    PecfException mistake =
        assertThrows(PecfException.class, () -> estimator().setPositive(">=4").fit(ratings));
    assertTrue(mistake.getMessage().contains("setRatingCol"), mistake.getMessage());
    mistake =
        assertThrows(PecfException.class, () -> estimator().setConstruction("em").fit(ratings));
    assertTrue(mistake.getMessage().contains("single, progressive or bagging"));
    Pecf none = estimator().setRatingCol("rating").setPositive(">=4");
    mistake = assertThrows(PecfException.class, () -> none.fit(ratings));
    assertTrue(mistake.getMessage().contains("no positives"), mistake.getMessage());
    mistake =
        assertThrows(
            PecfException.class,
            () -> estimator().fit(ratings.withColumn("user", functions.lit("a"))));
    assertTrue(mistake.getMessage().contains("string indexer"), mistake.getMessage());
  }

  private static void refused(String words, Executable action) {
    String message = assertThrows(PecfException.class, action).getMessage();
    assertTrue(message.contains(words), message);
  }

  @Test
  void rowsThatCannotBeUsedAreNamed() {
    refused("Column user holds null, and ids", () -> estimator().fit(with("user", "null")));
    refused(
        "Column item holds 1.5, and ids",
        () -> estimator().fit(with("item", "cast(1.5 as double)")));
    refused("Column item holds NaN, and ids", () -> estimator().fit(with("item", "double('NaN')")));
    Pecf rated = estimator().setRatingCol("rating").setPositive(">=1");
    refused("Column rating holds no rating", () -> rated.fit(with("rating", "float('NaN')")));
    refused(
        "Column rating holds no rating", () -> rated.fit(with("rating", "cast(null as float)")));
    refused("Column stars has no effect", () -> estimator().setRatingCol("stars").fit(ratings));
  }

  /** Return the ratings, of which those of one user have another value in a column. */
  private Dataset<Row> with(String column, String value) {
    return ratings.withColumn(
        column, functions.expr("if(user = 61, %s, %s)".formatted(value, column)));
  }

  @Test
  void listsHaveOneEntryAtLeast() {
    PecfModel model = estimator().setConstruction("single").fit(ratings);
    for (int count : new int[] {0, -1}) {
      refused("list of " + count, () -> model.recommendForAllUsers(count));
      refused("list of " + count, () -> model.recommendForItemSubset(ratings, count));
      refused("list of " + count, () -> model.recommendUnknown(ratings, ratings, count));
    }
  }

  @Test
  void predictionsAreMadeAgainAndAgain() {
    PecfModel model = estimator().setConstruction("single").fit(ratings);
    Dataset<Row> once = model.transform(ratings);
    Dataset<Row> twice = model.transform(once);
    assertEquals(List.of("user", "item", "rating", "prediction"), List.of(twice.columns()));
    assertEquals(twice.schema(), model.transformSchema(once.schema()));
    assertEquals(List.of(), once.exceptAll(twice).collectAsList());
    // Factors, too, are data that can be predicted.
    Dataset<Row> own = model.userFactors().withColumnRenamed("id", "user").crossJoin(items());
    Dataset<Row> predicted = model.transform(own);
    assertEquals(List.of("user", "features", "item", "prediction"), List.of(predicted.columns()));
    assertEquals(0, predicted.filter("isnan(prediction)").count());
  }

  private Dataset<Row> items() {
    return ratings.select("item").distinct().limit(2);
  }

  @Test
  void columnsAreFoundAsSparkFindsThem() {
    PecfModel model = estimator().setConstruction("single").fit(ratings);
    List<Row> expected = model.transform(ratings).select("prediction").collectAsList();
    Dataset<Row> nested = ratings.selectExpr("struct(user, item) as cell");
    PecfModel other =
        estimator()
            .setConstruction("single")
            .setUserCol("cell.USER")
            .setItemCol("cell.item")
            .fit(nested);
    assertEquals(expected, other.transform(nested).select("prediction").collectAsList());
    assertEquals(model.userFactors().count(), other.recommendForUserSubset(nested, 1).count());
  }

  @Test
  void checkpointsEndWithTheirUse() throws Exception {
    PecfModel expected = estimator().setIterations(5).fit(ratings);
    Path place = folder.resolve("checkpoints");
    session.sparkContext().setCheckpointDir(place.toString());
    try {
      PecfModel model = estimator().setIterations(5).setCheckpointInterval(2).fit(ratings);
      // The last factors of two members: the model stands on them.
      assertEquals(4, checkpoints(place));
      JavaSparkContext.fromSparkContext(session.sparkContext())
          .getPersistentRDDs()
          .values()
          .forEach(kept -> kept.unpersist(true));
      assertEquals(
          expected.userFactors().sort("id").collectAsList(),
          model.userFactors().sort("id").collectAsList());
    } finally {
      session.sparkContext().checkpointDir_$eq(Option.empty());
    }
    // As when the application ends.
    FileSystem.closeAll();
    assertEquals(0, checkpoints(place));
  }

  private static long checkpoints(Path place) throws IOException {
    try (Stream<Path> files = Files.walk(place)) {
      return files.filter(file -> file.getFileName().toString().startsWith("rdd-")).count();
    }
  }
}
