package org.pecf.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;
import org.pecf.api.PecfException;

/** The parameters that the estimator and its model share: the names of columns. */
final class ColumnParams implements Serializable {
  private static final long serialVersionUID = 1;

  private static final String NAN = "nan";
  private static final String DROP = "drop";

  private final Params owner;
  private final Param<String> userCol;
  private final Param<String> itemCol;
  private final Param<String> predictionCol;
  private final Param<String> coldStartStrategy;

  ColumnParams(Params owner) {
    this.owner = owner;
    this.userCol = new Param<>(owner, "userCol", "the column of users: whole numbers");
    this.itemCol = new Param<>(owner, "itemCol", "the column of items: whole numbers");
    this.predictionCol = new Param<>(owner, "predictionCol", "the column of predictions");
    this.coldStartStrategy =
        new Param<>(
            owner,
            "coldStartStrategy",
            "how unknown users and items are predicted: nan, or drop to leave out their rows",
            ParamValidators.inArray(List.of(NAN, DROP)));
    owner.setDefault(userCol, "user");
    owner.setDefault(itemCol, "item");
    owner.setDefault(predictionCol, "prediction");
    owner.setDefault(coldStartStrategy, NAN);
  }

  Param<String> userCol() {
    return userCol;
  }

  Param<String> itemCol() {
    return itemCol;
  }

  Param<String> predictionCol() {
    return predictionCol;
  }

  Param<String> coldStartStrategy() {
    return coldStartStrategy;
  }

  /** Return the name of the column of users. */
  String user() {
    return owner.getOrDefault(userCol);
  }

  /** Return the name of the column of items. */
  String item() {
    return owner.getOrDefault(itemCol);
  }

  /** Return the name of the column of predictions. */
  String prediction() {
    return owner.getOrDefault(predictionCol);
  }

  /** Return whether rows of unknown users and items are left out. */
  boolean drops() {
    return owner.getOrDefault(coldStartStrategy).equals(DROP);
  }

  /** Return the columns of a result, if those of the data are as they must be. */
  StructType checked(StructType schema) {
    Dataset<Row> none = SparkSession.active().createDataFrame(List.<Row>of(), schema);
    String remedy = "ids are whole numbers. Number texts by a string indexer.";
    numeric(none, user(), remedy);
    numeric(none, item(), remedy);
    return none.withColumn(prediction(), functions.lit(null).cast(DataTypes.FloatType)).schema();
  }

  /** Return a column of numbers, found by its name as Spark finds columns. */
  static Column numeric(Dataset<Row> data, String name, String remedy) {
    DataType type = data.select(name).schema().apply(0).dataType();
    if (!(type instanceof NumericType)) {
      throw PecfException.badData(
          "Column %s is of type %s, and %s", name, type.simpleString(), remedy);
    }
    return data.col(name);
  }

  /** Return the ids of a column as whole numbers; evaluating it fails where they are not. */
  static Column id(Dataset<Row> data, String name) {
    Column column = data.col(name);
    Column whole = column.try_cast(DataTypes.LongType);
    Column value = functions.coalesce(column.cast(DataTypes.StringType), functions.lit("null"));
    return valid(whole.equalTo(column), whole, name, value, "ids are whole numbers");
  }

  /** Return values where they are valid; evaluating it fails where they are not. */
  static Column valid(Column valid, Column values, String name, Column found, String rule) {
    return functions
        .when(valid, values)
        .otherwise(
            functions.raise_error(
                functions.concat(
                    functions.lit("Column " + name + " holds "),
                    found,
                    functions.lit(", and " + rule + ". Correct such rows or leave them out."))));
  }
}
