package org.pecf.api.plugin;

import org.apiguardian.api.API;

/**
 * The entry to one thing that a plugin offers (a filter, a backend, a loader, ...) under a
 * persisted id.
 *
 * <p>A provider is found by {@link java.util.ServiceLoader}. Its constructor must do nothing; the
 * methods here must be cheap and always give equal answers.
 *
 * @param <O> the record that holds the options
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Provider<O extends Record> {
  /** Describe what is offered. */
  ProviderDescription describe();

  /** Return the options it takes. */
  OptionSchema<O> options();
}
