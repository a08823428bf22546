package org.pecf.spark;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWriter;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import scala.collection.Seq;

/**
 * A trained ensemble: it predicts cells and recommends items for users and users for items. Ids in
 * its results are whole numbers of 64 bits.
 */
public final class PecfModel extends Model<PecfModel> implements MLWritable {
  private static final long serialVersionUID = 1;

  /** The rows that recommendations are made for at a time, and the rows they are made from. */
  private static final int ROWS = 2048;

  private static final String ID = "id";
  private static final String FEATURES = "features";
  private static final String KNOWN = "known";

  private final String uid;
  private final ColumnParams columns;
  private transient @Nullable EnsembleContent content;

  /** Create a model without members; only Spark does so, to fill it with those of a folder. */
  public PecfModel(String uid) {
    this.uid = uid;
    this.columns = new ColumnParams(this);
  }

  /** Take members. */
  PecfModel with(EnsembleContent members) {
    content = members;
    return this;
  }

  private EnsembleContent content() {
    return Objects.requireNonNull(content, "a model without members");
  }

  @Override
  public String uid() {
    return uid;
  }

  @Override
  public PecfModel copy(ParamMap extra) {
    PecfModel copied = new PecfModel(uid);
    copyValues(copied, extra);
    return copied.with(content()).setParent(parent());
  }

  /** Return the number of members. */
  public int members() {
    return content().reports().size();
  }

  /** Return the weight of each member in a prediction. */
  public double[] memberWeights() {
    return content().weights();
  }

  /** Return how each member was trained. */
  public List<MemberReport> reports() {
    return content().reports();
  }

  /** Return the id and the features of every user: the factors of all members, side by side. */
  public Dataset<Row> userFactors() {
    return content().users();
  }

  /** Return the id and the features of every item: the factors of all members, side by side. */
  public Dataset<Row> itemFactors() {
    return content().items();
  }

  @Override
  public StructType transformSchema(StructType schema) {
    return columns.checked(schema);
  }

  @Override
  public Dataset<Row> transform(Dataset<?> data) {
    transformSchema(data.schema());
    double[] weights = memberWeights();
    UserDefinedFunction score =
        functions.udf(
            (UDF2<Seq<Float>, Seq<Float>, Float>) (left, right) -> score(left, right, weights),
            DataTypes.FloatType);
    Dataset<Row> rows = data.toDF();
    // Found by names that data does not have: data may stem from these factors itself.
    String[] added = {"pecfUser", "pecfItem", "pecfUserFeatures", "pecfItemFeatures"};
    Dataset<Row> predicted =
        rows.withColumn(added[0], ColumnParams.id(rows, columns.user()))
            .withColumn(added[1], ColumnParams.id(rows, columns.item()))
            .join(userFactors().toDF(added[0], added[2]), new String[] {added[0]}, "left")
            .join(itemFactors().toDF(added[1], added[3]), new String[] {added[1]}, "left")
            .withColumn(
                columns.prediction(), score.apply(functions.col(added[2]), functions.col(added[3])))
            .drop(added);
    return columns.drops()
        ? predicted.filter(functions.not(functions.isnan(functions.col(columns.prediction()))))
        : predicted;
  }

  private static float score(
      @Nullable Seq<Float> left, @Nullable Seq<Float> right, double[] weights) {
    if (left == null || right == null) {
      return Float.NaN;
    }
    int rank = left.size() / weights.length;
    double sum = 0;
    for (int m = 0; m < weights.length; m++) {
      double product = 0;
      for (int k = m * rank; k < (m + 1) * rank; k++) {
        product += (double) left.apply(k) * right.apply(k);
      }
      sum += weights[m] * product;
    }
    return (float) sum;
  }

  /** Recommend the best items for every user; items that a user knows are not left out. */
  public Dataset<Row> recommendForAllUsers(int count) {
    return recommend(userFactors(), itemFactors(), columns.user(), columns.item(), count);
  }

  /** Recommend the best items for the users of a dataset that the model knows. */
  public Dataset<Row> recommendForUserSubset(Dataset<?> users, int count) {
    return recommend(
        subset(users, columns.user(), userFactors()),
        itemFactors(),
        columns.user(),
        columns.item(),
        count);
  }

  /**
   * Recommend the best items for the users of a dataset that the model knows, leaving out the cells
   * of another dataset: those of the training, as a rule.
   */
  public Dataset<Row> recommendUnknown(Dataset<?> users, Dataset<?> known, int count) {
    Dataset<Row> lists =
        cells(known).toDF(ID, KNOWN).groupBy(ID).agg(functions.collect_list(KNOWN).as(KNOWN));
    return recommend(
        subset(users, columns.user(), userFactors())
            .join(lists, new String[] {ID}, "left")
            .select(ID, FEATURES, KNOWN),
        itemFactors(),
        columns.user(),
        columns.item(),
        count);
  }

  /** Find the best users for every item; users who know it are not left out. */
  public Dataset<Row> recommendForAllItems(int count) {
    return recommend(itemFactors(), userFactors(), columns.item(), columns.user(), count);
  }

  /** Find the best users for the items of a dataset that the model knows. */
  public Dataset<Row> recommendForItemSubset(Dataset<?> items, int count) {
    return recommend(
        subset(items, columns.item(), itemFactors()),
        userFactors(),
        columns.item(),
        columns.user(),
        count);
  }

  private static Dataset<Row> subset(Dataset<?> data, String column, Dataset<Row> features) {
    Dataset<Row> rows = data.toDF();
    Dataset<Row> wanted = rows.select(ColumnParams.id(rows, column).as(ID)).distinct();
    return features.join(wanted, ID).select(ID, FEATURES);
  }

  private Dataset<Row> recommend(
      Dataset<Row> asking, Dataset<Row> candidates, String asks, String found, int count) {
    if (count < 1) {
      throw PecfException.badOption(
          "A list of %d recommendations is not possible. Ask for 1 or more.", count);
    }
    double[] weights = memberWeights();
    JavaRDD<FeatureBlock> weighted =
        FeatureBlock.of(candidates, ROWS).map(block -> block.weighted(weights));
    JavaRDD<Row> lists =
        FeatureBlock.of(asking, ROWS)
            .cartesian(weighted)
            .flatMapToPair(pair -> BestRows.among(pair._1, pair._2, count))
            .reduceByKey((left, right) -> left.merge(right, count))
            .map(best -> RowFactory.create(best._1, best._2.rows()));
    StructType entry =
        new StructType()
            .add(found, DataTypes.LongType, false)
            .add("rating", DataTypes.FloatType, false);
    StructType type =
        new StructType()
            .add(asks, DataTypes.LongType, false)
            .add("recommendations", DataTypes.createArrayType(entry, false), false);
    return asking.sparkSession().createDataFrame(lists, type);
  }

  /**
   * Write the ordinary model folder, which the command line and the library serve, to the driver's
   * disk. All factors pass through the driver, which must have the memory.
   *
   * @param folder the folder, which must not hold a model yet
   * @param known the positives of the training: cells that are not recommended again
   */
  public void exportTo(String folder, Dataset<?> known) {
    exportTo(folder, known, known.limit(0));
  }

  /**
   * Write the ordinary model folder.
   *
   * @param alsoKnown positives that the training has not seen, which are not recommended either
   */
  void exportTo(String folder, Dataset<?> known, Dataset<?> alsoKnown) {
    ModelExport.write(Path.of(folder), content(), cells(known), cells(alsoKnown));
  }

  private Dataset<Row> cells(Dataset<?> data) {
    Dataset<Row> rows = data.toDF();
    return rows.select(
        ColumnParams.id(rows, columns.user()).as(TrainingCells.USER),
        ColumnParams.id(rows, columns.item()).as(TrainingCells.ITEM));
  }

  @Override
  public MLWriter write() {
    return new Writer(this);
  }

  /** Return a reader of stored models. */
  public static MLReader<PecfModel> read() {
    return new Reader();
  }

  /** Load a stored model. */
  public static PecfModel load(String path) {
    return read().load(path);
  }

  private static final class Writer extends MLWriter {
    private final PecfModel model;

    Writer(PecfModel model) {
      this.model = model;
    }

    @Override
    public void saveImpl(String path) {
      new DefaultParamsWriter(model).saveImpl(path);
      model.content().write(path);
    }
  }

  private static final class Reader extends MLReader<PecfModel> {
    @Override
    public PecfModel load(String path) {
      Object stage = new DefaultParamsReader<>().load(path);
      if (stage instanceof PecfModel model) {
        return model.with(EnsembleContent.read(sparkSession(), path));
      }
      throw PecfException.badData(
          "%s holds a stored %s, not a model. Load it by that class, or name the folder of a"
              + " model.",
          path, stage.getClass().getSimpleName());
    }
  }

  /** Return the parameter of the column of users. */
  public Param<String> userCol() {
    return columns.userCol();
  }

  /** Set the column of users. */
  public PecfModel setUserCol(String value) {
    set(userCol(), value);
    return this;
  }

  /** Return the parameter of the column of items. */
  public Param<String> itemCol() {
    return columns.itemCol();
  }

  /** Set the column of items. */
  public PecfModel setItemCol(String value) {
    set(itemCol(), value);
    return this;
  }

  /** Return the parameter of the column of predictions. */
  public Param<String> predictionCol() {
    return columns.predictionCol();
  }

  /** Set the column of predictions. */
  public PecfModel setPredictionCol(String value) {
    set(predictionCol(), value);
    return this;
  }

  /** Return the parameter of how unknown users and items are predicted: nan or drop. */
  public Param<String> coldStartStrategy() {
    return columns.coldStartStrategy();
  }

  /** Set how unknown users and items are predicted: nan or drop. */
  public PecfModel setColdStartStrategy(String value) {
    set(coldStartStrategy(), value);
    return this;
  }
}
