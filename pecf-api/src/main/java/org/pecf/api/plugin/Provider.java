package org.pecf.api.plugin;

import org.apiguardian.api.API;

/**
 * The maker of one thing of a plugin (a filter, a backend, a loader, ...), known by a persisted id.
 *
 * <p>A provider is found by {@link java.util.ServiceLoader}. Its constructor must do nothing;
 * {@link #describe} and {@link #options} must be cheap and always give equal answers.
 *
 * @param <O> the record that holds the options
 * @param <T> the type of the thing
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Provider<O extends Record, T> {
  /** Describe the thing. */
  ProviderDescription describe();

  /** Return the options it takes. */
  OptionSchema<O> options();

  /** Create the thing with the given options. Cheap: nothing is loaded or opened yet. */
  T create(O options);
}
