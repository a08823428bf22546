package org.pecf.api.data;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunListener;

/**
 * Hold what a run lends to a loader.
 *
 * @param allocator the source of working memory
 * @param parallelism the threads
 * @param cancellation polled per batch
 * @param listener hears of progress
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LoadContext(
    BufferAllocator allocator,
    Parallelism parallelism,
    Cancellation cancellation,
    RunListener listener) {}
