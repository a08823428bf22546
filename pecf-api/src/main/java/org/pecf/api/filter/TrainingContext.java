package org.pecf.api.filter;

import org.apiguardian.api.API;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;

/**
 * The context in which a model is trained.
 *
 * @param run the resources of the run; the limit of its allocator is the memory budget of the
 *     training, and its threads are for work that no kernel covers
 * @param compute the kernels of the backend
 * @param seed the root of all randomness of this training
 * @param checkpoints the keeper of the state between steps
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TrainingContext(
    RunContext run, ComputeSession compute, Seed seed, Checkpoints checkpoints) {
  /** Create a context in which no state is kept between steps. */
  public TrainingContext(RunContext run, ComputeSession compute, Seed seed) {
    this(run, compute, seed, Checkpoints.none());
  }

  /** Return the same context with another root of randomness. */
  public TrainingContext withSeed(Seed other) {
    return new TrainingContext(run, compute, other, checkpoints);
  }
}
