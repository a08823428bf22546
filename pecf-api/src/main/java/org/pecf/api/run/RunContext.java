package org.pecf.api.run;

import org.apache.arrow.memory.BufferAllocator;
import org.apiguardian.api.API;

/**
 * The resources that a run provides to the code it calls: memory, threads, and the means to stop
 * and to report.
 *
 * @param allocator the source of all working memory; its limit is the memory budget
 * @param parallelism the threads
 * @param cancellation the request to stop, polled once per step, tile or batch
 * @param listener the receiver of events
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RunContext(
    BufferAllocator allocator,
    Parallelism parallelism,
    Cancellation cancellation,
    RunListener listener) {}
