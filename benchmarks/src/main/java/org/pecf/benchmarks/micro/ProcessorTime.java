package org.pecf.benchmarks.micro;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time of an operation, all threads together, which a busy machine disturbs less than
 * the clock: {@code -prof org.pecf.benchmarks.micro.ProcessorTime}.
 */
public class ProcessorTime implements InternalProfiler {
  private long start;

  private static long nanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  @Override
  public String getDescription() {
    return "processor time of an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    start = nanos();
  }

  @Override
  @SuppressWarnings("rawtypes") // As JMH declares it.
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double milliseconds = (nanos() - start) / 1e6;
    return List.of(
        new ScalarResult(
            "cpu",
            milliseconds / result.getMetadata().getMeasuredOps(),
            "ms/op",
            AggregationPolicy.AVG));
  }
}
