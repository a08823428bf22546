package org.pecf.engine.plugin;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Choose a provider by id and set its options by text.
 *
 * @param id the provider's id
 * @param options texts by option key
 */
public record ProviderChoice(String id, Map<String, String> options) {
  public ProviderChoice {
    options = Collections.unmodifiableMap(new TreeMap<>(options));
  }

  /** Choose a provider with its default options. */
  public static ProviderChoice of(String id) {
    return new ProviderChoice(id, Map.of());
  }
}
