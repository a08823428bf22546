package org.pecf.engine.plugin;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.pecf.api.PecfException;

/**
 * The choice of a provider by id, with its options as texts.
 *
 * @param id the provider's id
 * @param options texts by option key; the key {@link #FIRST_OPTION} stands for whichever option the
 *     provider declares first
 */
public record ProviderChoice(String id, Map<String, String> options) {
  /** The key that stands for the first option that the provider declares. */
  public static final String FIRST_OPTION = "";

  public ProviderChoice {
    options = Collections.unmodifiableMap(new TreeMap<>(options));
  }

  /** Choose a provider with its default options. */
  public static ProviderChoice of(String id) {
    return new ProviderChoice(id, Map.of());
  }

  /**
   * Read a choice as users write it: {@code dynamic}, or {@code fixed:0.4}, where the text after
   * the colon sets the option that the provider declares first.
   */
  public static ProviderChoice parse(String text) {
    int colon = text.indexOf(':');
    String id = (colon < 0 ? text : text.substring(0, colon)).strip();
    String value = colon < 0 ? "" : text.substring(colon + 1).strip();
    if (id.isEmpty() || (colon >= 0 && value.isEmpty())) {
      throw PecfException.badOption(
          "'%s' does not name a provider. Write its id, such as 'dynamic', or its id and the value"
              + " of its first option, such as 'fixed:0.4'.",
          text);
    }
    return colon < 0 ? of(id) : new ProviderChoice(id, Map.of(FIRST_OPTION, value));
  }

  /** Return this choice with one option set, replacing an earlier text of the same key. */
  public ProviderChoice with(String key, String value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(key, value);
    return new ProviderChoice(id, more);
  }

  /** Return a text for people, such as {@code wmf{lambda=0.1, rank=50}}. */
  @Override
  public String toString() {
    String first = options.get(FIRST_OPTION);
    return first != null && options.size() == 1
        ? id + ":" + first
        : options.isEmpty() ? id : id + options;
  }
}
