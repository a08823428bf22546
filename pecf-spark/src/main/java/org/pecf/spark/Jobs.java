package org.pecf.spark;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.api.java.JavaRDD;
import org.pecf.api.PecfException;

/**
 * The jobs of a training. Each has a description, which Spark's interface shows; and what a task
 * refuses is refused in its words, without Spark's report of the job that it ended.
 */
final class Jobs {
  /** The local property of Spark that holds the description of jobs. */
  static final String DESCRIPTION = "spark.job.description";

  private Jobs() {}

  /** Collect the results of blocks, in order. */
  static <T> List<T> collect(String description, JavaRDD<T> blocks) {
    return run(description, blocks, blocks::collect);
  }

  /** Compute blocks that stay in the executors. */
  static void compute(String description, JavaRDD<?> blocks) {
    run(description, blocks, blocks::count);
  }

  private static <T> T run(String description, JavaRDD<?> blocks, Supplier<T> action) {
    SparkContext context = blocks.context();
    String before = context.getLocalProperty(DESCRIPTION);
    context.setJobDescription("PECF: " + description);
    try {
      return refusing(action);
    } finally {
      context.setJobDescription(before);
    }
  }

  /** Run an action whose tasks may refuse something, and refuse it in their words. */
  static <T> T refusing(Supplier<T> action) {
    try {
      return action.get();
    } catch (Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof PecfException refusal) {
          throw refusal;
        }
        if (cause instanceof SparkThrowable raised
            && "USER_RAISED_EXCEPTION".equals(raised.getCondition())) {
          throw PecfException.badData("%s", raised.getMessageParameters().get("errorMessage"));
        }
      }
      throw e;
    }
  }
}
