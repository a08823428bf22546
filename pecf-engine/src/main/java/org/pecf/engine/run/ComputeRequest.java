package org.pecf.engine.run;

import org.pecf.api.compute.ComputationPath;
import org.pecf.engine.plugin.ProviderChoice;

/**
 * Say what to compute on.
 *
 * @param backend the backend, or {@code auto} for the best available
 * @param threads how many threads
 * @param memoryBytes how much off-heap memory the run may take
 * @param path which computation path
 * @param weightError the largest relative error of a weight on the corrected path
 */
public record ComputeRequest(
    ProviderChoice backend,
    int threads,
    long memoryBytes,
    ComputationPath path,
    double weightError) {}
