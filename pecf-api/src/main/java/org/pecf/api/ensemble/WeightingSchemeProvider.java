package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a way to weigh cells for the next filter.
 *
 * @param <O> the options record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface WeightingSchemeProvider<O extends Record> extends Provider<O, WeightingScheme> {}
