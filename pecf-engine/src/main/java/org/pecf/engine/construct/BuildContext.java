package org.pecf.engine.construct;

import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;
import org.pecf.api.run.Seed;

/**
 * The resources that a run provides to a construction.
 *
 * @param allocator the source of all memory; it owns the finished members
 * @param compute the backend
 * @param parallelism the threads
 * @param seed the root of all randomness of the construction
 * @param cancellation polled between steps
 * @param listener is notified of members
 */
public record BuildContext(
    BufferAllocator allocator,
    ComputeSession compute,
    Parallelism parallelism,
    Seed seed,
    Cancellation cancellation,
    RunListener listener) {}
