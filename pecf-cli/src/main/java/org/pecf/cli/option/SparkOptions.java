package org.pecf.cli.option;

import java.util.Map;

/** The options that only trainings on Spark have. */
public final class SparkOptions extends SchemaOptions {
  /** Create the options. */
  public SparkOptions() {
    spark("hold-out", "SHARE", "the share of positives to measure on, 0 for none (default: 0.1)");
    spark("cutoff", "M", "the length of lists, measured and stored (default: 20)");
    spark(
        "hard-zeros",
        "HOW",
        "whether all cells are scanned for badly predicted zeros: auto, scan"
            + " or none (default: auto)");
    spark("blocks", "N", "the most blocks of a side (default: the parallelism of the cluster)");
    spark("store", "PATH", "store the model as one of Spark's");
    spark("lists", "PATH", "store the lists of all users as Parquet");
  }

  private void spark(String key, String label, String help) {
    add(Sections.COMPUTING, key, label, "With --backend spark, " + help);
  }

  /** Return the texts that were given, by key. */
  public Map<String, String> given() {
    return texts();
  }
}
