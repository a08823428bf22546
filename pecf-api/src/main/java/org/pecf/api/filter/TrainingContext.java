package org.pecf.api.filter;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;

/**
 * Hold what a run lends to the training of one member.
 *
 * @param allocator the source of all memory; its limit is the member's budget
 * @param compute the backend's kernels
 * @param parallelism the threads, for what the kernels do not cover
 * @param seed the root of all randomness of this training
 * @param cancellation polled at least once a step
 * @param listener hears of every step
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TrainingContext(
    BufferAllocator allocator,
    ComputeSession compute,
    Parallelism parallelism,
    Seed seed,
    Cancellation cancellation,
    RunListener listener) {}
