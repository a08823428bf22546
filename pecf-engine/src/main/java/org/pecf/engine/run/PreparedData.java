package org.pecf.engine.run;

import java.util.function.Supplier;
import org.apache.arrow.util.AutoCloseables;
import org.jspecify.annotations.Nullable;
import org.pecf.api.run.Seed;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.split.Split;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.resource.Workspace;
import org.pecf.engine.run.TrainingRunEvent.SplitMade;

/**
 * Loaded data and its divisions, shared by several trainings. It owns the workspace that holds them
 * and is used by one thread at a time.
 */
public final class PreparedData implements AutoCloseable {
  private final Workspace workspace;
  private final Dataset dataset;
  private @Nullable SplitRule rule;
  private long seed;
  private @Nullable Split split;

  private PreparedData(Workspace workspace, Dataset dataset) {
    this.workspace = workspace;
    this.dataset = dataset;
  }

  /**
   * Load data.
   *
   * @param workspace owned by the result, or closed if this method throws
   */
  public static PreparedData load(DataRequest request, Workspace workspace) {
    return of(() -> workspace.load(request), workspace);
  }

  /**
   * Load data.
   *
   * @param source loads it
   * @param workspace owned by the result, or closed if this method throws
   */
  static PreparedData of(Supplier<Dataset> source, Workspace workspace) {
    try {
      return new PreparedData(workspace, source.get());
    } catch (RuntimeException | Error e) {
      AutoCloseables.close(e, workspace);
      throw e;
    }
  }

  /** Return the workspace that holds the data. */
  public Workspace workspace() {
    return workspace;
  }

  /** Return the data. */
  public Dataset dataset() {
    return dataset;
  }

  /**
   * Divide the data, or return the last division if it was the same.
   *
   * @param seed the root seed of the training that asks
   * @return borrowed until another division is asked for
   */
  public Split split(SplitRule rule, long seed) {
    if (split == null || !rule.equals(this.rule) || seed != this.seed) {
      forgetSplit();
      split = rule.split(dataset, new Seed(seed).child("split"), workspace.allocator());
      this.rule = rule;
      this.seed = seed;
      workspace
          .listener()
          .on(
              new SplitMade(
                  rule.toString(),
                  split.training().count(),
                  split.validation().count(),
                  split.test().count()));
    }
    return split;
  }

  private void forgetSplit() {
    if (split != null) {
      split.close();
      split = null;
    }
  }

  @Override
  public void close() {
    forgetSplit();
    dataset.close();
    workspace.close();
  }
}
