package org.pecf.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
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
    for (String column : new String[] {user(), item()}) {
      DataType type = schema.apply(column).dataType();
      if (!(type instanceof NumericType)) {
        throw PecfException.badData(
            "Column %s is of type %s, and ids are whole numbers. Number texts by a string indexer.",
            column, type.simpleString());
      }
    }
    return schema.add(prediction(), DataTypes.FloatType, true);
  }

  /** Return the ids of a column as whole numbers; evaluating it fails where they are not. */
  static Column id(Dataset<Row> data, String name) {
    Column column = data.col(name);
    DataType type = data.schema().apply(name).dataType();
    Column whole = column.cast(DataTypes.LongType);
    boolean fractions =
        type.equals(DataTypes.DoubleType)
            || type.equals(DataTypes.FloatType)
            || type instanceof DecimalType;
    Column valid = fractions ? column.isNotNull().and(whole.equalTo(column)) : column.isNotNull();
    String message = "Column " + name + " holds something that is not a whole number";
    return functions
        .when(valid, whole)
        .otherwise(functions.raise_error(functions.lit(message)).cast(DataTypes.LongType));
  }
}
