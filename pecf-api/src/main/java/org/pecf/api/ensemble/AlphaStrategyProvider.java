package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.plugin.Provider;

/**
 * The provider of a way to choose how much a new member counts.
 *
 * @param <O> the options record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface AlphaStrategyProvider<O extends Record> extends Provider<O, AlphaStrategy> {}
