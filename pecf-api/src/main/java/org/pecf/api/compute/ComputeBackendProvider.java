package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a way to run the kernels: on this CPU, on a GPU, on other machines.
 *
 * @param <O> the options record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface ComputeBackendProvider<O extends Record> extends Provider<O, ComputeBackend> {}
