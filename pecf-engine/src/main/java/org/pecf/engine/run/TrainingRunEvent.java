package org.pecf.engine.run;

import java.nio.file.Path;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunEvent;
import org.pecf.engine.evaluate.EvaluationReport;

/** The events of a run around its construction. */
public sealed interface TrainingRunEvent extends RunEvent {
  /**
   * The event that a run goes on from a checkpoint, or begins because there is none.
   *
   * @param folder the folder of the checkpoint
   * @param found whether there was one
   */
  record Resumed(Path folder, boolean found) implements TrainingRunEvent {
    @Override
    public String summary() {
      return found
          ? "resumed from " + folder
          : "there is no checkpoint in " + folder + " yet: training begins";
    }
  }

  /**
   * The event that reports the sizes of the parts.
   *
   * @param rule the rule, as text
   * @param training how many positives to learn from
   * @param validation how many to choose by
   * @param test how many to report on
   */
  record SplitMade(String rule, int training, int validation, int test)
      implements TrainingRunEvent {
    @Override
    public String summary() {
      return String.format(
          "split %s: %s training, %s validation, %s test positives",
          rule, training, validation, test);
    }
  }

  /**
   * The event that the finished ensemble was measured on a part.
   *
   * @param part the part
   * @param report its metrics
   */
  record Evaluated(Part part, EvaluationReport report) implements TrainingRunEvent {
    @Override
    public String summary() {
      StringBuilder line = new StringBuilder(part.toString());
      report
          .named()
          .forEach(
              (key, value) -> {
                if (key.startsWith("recall@") || key.equals("wmse")) {
                  line.append(String.format(Locale.ROOT, ", %s %.4f", key, value));
                }
              });
      report.sampled().ifPresent(sample -> line.append(", over ").append(sample));
      return line.toString();
    }
  }

  /**
   * The off-heap memory of a training: the estimated bound and the peak.
   *
   * @param estimatedBytes the bound that was estimated before it began, data included
   * @param peakBytes the most that was allocated at any time
   */
  record MemoryUse(long estimatedBytes, long peakBytes) implements TrainingRunEvent {
    /**
     * Return a bound on the memory that a training allocates, with all that is allocated by now.
     *
     * @param factors the bytes of the members' models
     * @param backend the bytes that the backend takes at most
     */
    static long estimate(BufferAllocator allocator, long factors, long backend) {
      // Factors count twice: they are joined for passes over all cells.
      long needed = 2 * factors + backend;
      return Math.min(
          allocator.getLimit(),
          Math.max(allocator.getPeakMemoryAllocation(), allocator.getAllocatedMemory() + needed));
    }

    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "memory: %d MB at most, %d MB estimated",
          peakBytes >> 20,
          estimatedBytes >> 20);
    }
  }

  /**
   * The event that a measured plan is now trained on more of the data.
   *
   * @param members how many members
   * @param parts the parts
   * @param positives how many positives to learn from
   */
  record RefitStarted(int members, Refit parts, int positives) implements TrainingRunEvent {
    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "refit: the same plan, %d %s, on %s%d positives",
          members,
          members == 1 ? "member" : "members",
          parts == Refit.ALL ? "all " : "the " + parts + " parts, ",
          positives);
    }
  }
}
