package org.pecf.spark;

import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Ridge;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.request.ComputeRequest;

/**
 * The estimator of an ensemble of collaborative filters from positives: rows of a user and an item,
 * with a rating or without.
 *
 * <p>Settings have the names, meanings and defaults that they have elsewhere in PECF. Ids are whole
 * numbers of any type, also doubles without fraction, as a string indexer makes them.
 */
public final class Pecf extends Estimator<PecfModel> implements DefaultParamsWritable {
  private static final long serialVersionUID = 1;
  private static final String CONSTRUCTIONS = "single, progressive or bagging";

  private final String uid;
  private final ColumnParams columns;
  private final Param<String> ratingCol;
  private final Param<String> positive;
  private final IntParam rank;
  private final IntParam rounds;
  private final IntParam iterations;
  private final DoubleParam lambda;
  private final DoubleParam frequencyExponent;
  private final DoubleParam deviation;
  private final DoubleParam positiveWeight;
  private final DoubleParam zeroWeight;
  private final Param<String> construction;
  private final DoubleParam nu;
  private final DoubleParam sigma;
  private final Param<String> scaling;
  private final Param<String> hardZeros;
  private final DoubleParam weightError;
  private final Param<String> alpha;
  private final LongParam seed;
  private final IntParam numBlocks;
  private final IntParam checkpointInterval;

  /** Create an estimator with the default settings. */
  public Pecf() {
    this(Identifiable$.MODULE$.randomUID("pecf"));
  }

  /** Create an estimator of a name, by which Spark tells stages apart. */
  public Pecf(String uid) {
    this.uid = uid;
    this.columns = new ColumnParams(this);
    this.ratingCol = text("ratingCol", "the column of ratings; empty if every row is a positive");
    this.positive = text("positive", "the rule by which ratings are positives: >=4, >3.5, =5, all");
    this.rank = whole("rank", "the number of factors", 1);
    this.rounds = whole("rounds", "the number of members added to the first", 0);
    this.iterations = whole("iterations", "the sweeps of a member", 1);
    this.lambda = above("lambda", "the penalty of users and items", 0);
    this.frequencyExponent =
        new DoubleParam(
            this,
            "frequencyExponent",
            "a row's penalty grows with its weight to this power; the mean stays lambda",
            ParamValidators.inRange(0, 1));
    this.deviation = above("deviation", "the standard deviation of the random start", 0);
    this.positiveWeight = above("positiveWeight", "the weight of positives", 0);
    this.zeroWeight = above("zeroWeight", "the weight of zeros", 0);
    this.construction = text("construction", "how members come together: " + CONSTRUCTIONS);
    this.nu =
        new DoubleParam(
            this,
            "nu",
            "how strongly well-predicted cells are weighed down",
            ParamValidators.gtEq(0));
    this.sigma = above("sigma", "the error at which the weight starts to saturate", 0);
    this.scaling = text("scaling", "the scaling of weights: raw, unit or mean");
    this.hardZeros =
        text(
            "hardZeros",
            "whether all cells are scanned for zeros that are predicted badly: auto (up to 10^12"
                + " cells), scan or none");
    this.weightError =
        new DoubleParam(
            this,
            "weightError",
            "the largest relative error of a zero's weight where cells are scanned",
            ParamValidators.inRange(0, 1, false, false));
    this.alpha = text("alpha", "how much a new member counts: uniform, dynamic or fixed:0.4");
    this.seed = new LongParam(this, "seed", "the root of all randomness");
    this.numBlocks =
        whole("numBlocks", "the most blocks of a side; 0 for the default parallelism", 0);
    this.checkpointInterval =
        whole(
            "checkpointInterval",
            "the sweeps between checkpoints, where a checkpoint folder is set; 0 for none",
            0);
    setDefault(ratingCol, "");
    setDefault(positive, "all");
    setDefault(rank, 50);
    setDefault(rounds, 4);
    setDefault(iterations, 8);
    setDefault(lambda, 4.0);
    setDefault(frequencyExponent, 1.0);
    setDefault(deviation, 0.1);
    setDefault(positiveWeight, 1.0);
    setDefault(zeroWeight, 0.01);
    setDefault(construction, Construction.PROGRESSIVE.id());
    setDefault(nu, 10.0);
    setDefault(sigma, 1.0);
    setDefault(scaling, "mean");
    setDefault(hardZeros, "auto");
    setDefault(weightError, ComputeRequest.DEFAULT_WEIGHT_ERROR);
    setDefault(alpha, "uniform");
    setDefault(seed, 1L);
    setDefault(numBlocks, 0);
    setDefault(checkpointInterval, 4);
  }

  private Param<String> text(String name, String description) {
    return new Param<>(this, name, description);
  }

  private IntParam whole(String name, String description, int least) {
    return new IntParam(this, name, description, ParamValidators.gtEq(least));
  }

  private DoubleParam above(String name, String description, double bound) {
    return new DoubleParam(this, name, description, ParamValidators.gt(bound));
  }

  /** Return a reader of stored estimators. */
  public static MLReader<Pecf> read() {
    return new DefaultParamsReader<>();
  }

  /** Load a stored estimator. */
  public static Pecf load(String path) {
    return read().load(path);
  }

  @Override
  public String uid() {
    return uid;
  }

  @Override
  public Pecf copy(ParamMap extra) {
    return this.<Pecf>defaultCopy(extra);
  }

  @Override
  public StructType transformSchema(StructType schema) {
    return columns.checked(schema);
  }

  @Override
  public PecfModel fit(Dataset<?> data) {
    return Jobs.refusing(() -> trained(data));
  }

  private PecfModel trained(Dataset<?> data) {
    transformSchema(data.schema());
    TrainingSettings settings = settings();
    Dataset<Row> positives = positives(data);
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext());
    int blocks = (Integer) $(numBlocks);
    try (TrainingCells grid =
        TrainingCells.of(positives, blocks == 0 ? context.defaultParallelism() : blocks)) {
      EnsembleTraining.Trained trained = EnsembleTraining.run(context, grid, settings);
      PecfModel model = new PecfModel(uid);
      copyValues(model, ParamMap.empty());
      model.setParent(this);
      return model.with(EnsembleContent.of(data.sparkSession(), grid, trained, settings));
    }
  }

  private TrainingSettings settings() {
    Construction chosen =
        Optional.of($(construction))
            .filter(name -> List.of(CONSTRUCTIONS.split(", | or ")).contains(name))
            .map(Construction::named)
            .orElseThrow(
                () ->
                    PecfException.badOption(
                        "Construction '%s' does not run on Spark. Use %s.",
                        $(construction), CONSTRUCTIONS));
    float heavy = ((Double) $(positiveWeight)).floatValue();
    float light = ((Double) $(zeroWeight)).floatValue();
    if (light > heavy) {
      throw PecfException.badOption(
          "Zeros weigh %s and positives %s. Lower zeroWeight, or raise positiveWeight.",
          light, heavy);
    }
    double penalty = (Double) $(lambda);
    return new TrainingSettings(
        chosen,
        1 + chosen.rounds((Integer) $(rounds)),
        (Integer) $(rank),
        (Integer) $(iterations),
        new Ridge(penalty, penalty, (Double) $(frequencyExponent)),
        (Double) $(deviation),
        heavy,
        light,
        new Weighting((Double) $(nu), (Double) $(sigma), Weighting.Scaling.named($(scaling))),
        TrainingSettings.HardZeros.named($(hardZeros)),
        (Double) $(weightError),
        AlphaRule.parse($(alpha)),
        (Long) $(seed),
        (Integer) $(checkpointInterval));
  }

  /** Return the positives of the data: ids as whole numbers. */
  Dataset<Row> positives(Dataset<?> data) {
    PositiveRule rule = PositiveRule.parse($(positive));
    Dataset<Row> rows = data.toDF();
    String name = $(ratingCol);
    if (rule.comparison() == PositiveRule.Comparison.ALL) {
      if (!name.isEmpty()) {
        throw PecfException.badOption(
            "Column %s has no effect: every row is a positive. Give a rule such as '>=4' by"
                + " setPositive, or leave setRatingCol out.",
            name);
      }
    } else {
      if (name.isEmpty()) {
        throw PecfException.badOption(
            "The rule %s needs ratings. Name their column by setRatingCol.", rule);
      }
      Column given =
          ColumnParams.numeric(rows, name, "ratings are numbers.").cast(DataTypes.DoubleType);
      Column known = functions.nanvl(given, functions.lit(null));
      Column rating =
          ColumnParams.valid(
              known.isNotNull(), given, name, functions.lit("no rating"), "every row needs one");
      rows =
          rows.filter(
              switch (rule.comparison()) {
                case AT_LEAST -> rating.geq(rule.threshold());
                case ABOVE -> rating.gt(rule.threshold());
                default -> rating.equalTo(rule.threshold());
              });
    }
    return rows.select(
        ColumnParams.id(rows, columns.user()).as(TrainingCells.USER),
        ColumnParams.id(rows, columns.item()).as(TrainingCells.ITEM));
  }

  /** Return the parameter of the column of users. */
  public Param<String> userCol() {
    return columns.userCol();
  }

  /** Set the column of users. */
  public Pecf setUserCol(String value) {
    set(userCol(), value);
    return this;
  }

  /** Return the parameter of the column of items. */
  public Param<String> itemCol() {
    return columns.itemCol();
  }

  /** Set the column of items. */
  public Pecf setItemCol(String value) {
    set(itemCol(), value);
    return this;
  }

  /** Return the parameter of the column of predictions. */
  public Param<String> predictionCol() {
    return columns.predictionCol();
  }

  /** Set the column of predictions. */
  public Pecf setPredictionCol(String value) {
    set(predictionCol(), value);
    return this;
  }

  /** Return the parameter of how unknown users and items are predicted: nan or drop. */
  public Param<String> coldStartStrategy() {
    return columns.coldStartStrategy();
  }

  /** Set how unknown users and items are predicted: nan or drop. */
  public Pecf setColdStartStrategy(String value) {
    set(coldStartStrategy(), value);
    return this;
  }

  /** Return the parameter of the column of ratings; empty if every row is a positive. */
  public Param<String> ratingCol() {
    return ratingCol;
  }

  /** Set the column of ratings; empty if every row is a positive. */
  public Pecf setRatingCol(String value) {
    set(ratingCol(), value);
    return this;
  }

  /** Return the parameter of the rule by which ratings are positives, such as {@code >=4}. */
  public Param<String> positive() {
    return positive;
  }

  /** Set the rule by which ratings are positives, such as {@code >=4}. */
  public Pecf setPositive(String value) {
    set(positive(), value);
    return this;
  }

  /** Return the parameter of the number of factors. */
  public IntParam rank() {
    return rank;
  }

  /** Set the number of factors. */
  public Pecf setRank(int value) {
    set(rank(), value);
    return this;
  }

  /** Return the parameter of the number of members added to the first. */
  public IntParam rounds() {
    return rounds;
  }

  /** Set the number of members added to the first. */
  public Pecf setRounds(int value) {
    set(rounds(), value);
    return this;
  }

  /** Return the parameter of the sweeps of a member. */
  public IntParam iterations() {
    return iterations;
  }

  /** Set the sweeps of a member. */
  public Pecf setIterations(int value) {
    set(iterations(), value);
    return this;
  }

  /** Return the parameter of the penalty of users and items. */
  public DoubleParam lambda() {
    return lambda;
  }

  /** Set the penalty of users and items. */
  public Pecf setLambda(double value) {
    set(lambda(), value);
    return this;
  }

  /** Return the parameter of the power of a row's weight in its penalty. */
  public DoubleParam frequencyExponent() {
    return frequencyExponent;
  }

  /** Set the power of a row's weight in its penalty. */
  public Pecf setFrequencyExponent(double value) {
    set(frequencyExponent(), value);
    return this;
  }

  /** Return the parameter of the standard deviation of the random start. */
  public DoubleParam deviation() {
    return deviation;
  }

  /** Set the standard deviation of the random start. */
  public Pecf setDeviation(double value) {
    set(deviation(), value);
    return this;
  }

  /** Return the parameter of the weight of positives. */
  public DoubleParam positiveWeight() {
    return positiveWeight;
  }

  /** Set the weight of positives. */
  public Pecf setPositiveWeight(double value) {
    set(positiveWeight(), value);
    return this;
  }

  /** Return the parameter of the weight of zeros. */
  public DoubleParam zeroWeight() {
    return zeroWeight;
  }

  /** Set the weight of zeros. */
  public Pecf setZeroWeight(double value) {
    set(zeroWeight(), value);
    return this;
  }

  /** Return the parameter of the way in which members come together. */
  public Param<String> construction() {
    return construction;
  }

  /** Set the way in which members come together. */
  public Pecf setConstruction(String value) {
    set(construction(), value);
    return this;
  }

  /** Return the parameter of how strongly well-predicted cells are weighed down. */
  public DoubleParam nu() {
    return nu;
  }

  /** Set how strongly well-predicted cells are weighed down. */
  public Pecf setNu(double value) {
    set(nu(), value);
    return this;
  }

  /** Return the parameter of the error at which the weight starts to saturate. */
  public DoubleParam sigma() {
    return sigma;
  }

  /** Set the error at which the weight starts to saturate. */
  public Pecf setSigma(double value) {
    set(sigma(), value);
    return this;
  }

  /** Return the parameter of the scaling of weights. */
  public Param<String> scaling() {
    return scaling;
  }

  /** Set the scaling of weights. */
  public Pecf setScaling(String value) {
    set(scaling(), value);
    return this;
  }

  /** Return the parameter of whether all cells are scanned for zeros that are predicted badly. */
  public Param<String> hardZeros() {
    return hardZeros;
  }

  /** Set whether all cells are scanned for zeros that are predicted badly. */
  public Pecf setHardZeros(String value) {
    set(hardZeros(), value);
    return this;
  }

  /** Return the parameter of the largest relative error of a zero's weight. */
  public DoubleParam weightError() {
    return weightError;
  }

  /** Set the largest relative error of a zero's weight, where cells are scanned. */
  public Pecf setWeightError(double value) {
    set(weightError(), value);
    return this;
  }

  /** Return the parameter of the rule by which a new member counts. */
  public Param<String> alpha() {
    return alpha;
  }

  /** Set the rule by which a new member counts. */
  public Pecf setAlpha(String value) {
    set(alpha(), value);
    return this;
  }

  /** Return the parameter of the root of all randomness. */
  public LongParam seed() {
    return seed;
  }

  /** Set the root of all randomness. */
  public Pecf setSeed(long value) {
    set(seed(), value);
    return this;
  }

  /** Return the parameter of the most blocks of a side. */
  public IntParam numBlocks() {
    return numBlocks;
  }

  /** Set the most blocks of a side. */
  public Pecf setNumBlocks(int value) {
    set(numBlocks(), value);
    return this;
  }

  /** Return the parameter of the sweeps between checkpoints. */
  public IntParam checkpointInterval() {
    return checkpointInterval;
  }

  /** Set the sweeps between checkpoints. */
  public Pecf setCheckpointInterval(int value) {
    set(checkpointInterval(), value);
    return this;
  }
}
