package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.RunContext;

/**
 * The context in which a backend is opened.
 *
 * @param run the resources of the run; its listener is notified of every {@link LeastSquaresPlan}
 * @param shape the grid of the run
 * @param path the computation path to take
 * @param weightError the largest relative error of a cell's weight that the corrected path may
 *     make; 0 makes it exact
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SessionContext(
    RunContext run, GridShape shape, ComputationPath path, double weightError) {}
