package org.pecf.spark;

import org.apache.spark.sql.SparkSession;

/** Sessions of Spark for tests. */
final class Sessions {
  private Sessions() {}

  /** Return the session of this process on two threads. */
  static SparkSession local() {
    return started(builder("local[2]"));
  }

  /** Start a session that is quiet. */
  static SparkSession started(SparkSession.Builder builder) {
    SparkSession session = builder.getOrCreate();
    session.sparkContext().setLogLevel("ERROR");
    return session;
  }

  /** Return the settings of a session for little data. */
  static SparkSession.Builder builder(String master) {
    return SparkSession.builder()
        .master(master)
        .appName("pecf")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.adaptive.enabled", "false")
        // Compiling queries takes longer than running them here.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.default.parallelism", "3")
        .config("spark.sql.warehouse.dir", "target/warehouse");
  }
}
