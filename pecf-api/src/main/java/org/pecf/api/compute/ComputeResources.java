package org.pecf.api.compute;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;

/**
 * Hold what a run lends to a backend.
 *
 * @param shape the grid of the run
 * @param allocator the source of all working memory; its limit is the memory budget
 * @param parallelism the threads
 * @param cancellation polled per tile
 * @param listener hears of {@link LeastSquaresPlan}s and the like
 * @param path which computation path to take
 * @param weightError the largest relative error of a cell's weight that the corrected path may
 *     make; 0 makes it exact
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ComputeResources(
    GridShape shape,
    BufferAllocator allocator,
    Parallelism parallelism,
    Cancellation cancellation,
    RunListener listener,
    ComputationPath path,
    double weightError) {}
