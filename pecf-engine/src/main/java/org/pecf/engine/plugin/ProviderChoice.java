package org.pecf.engine.plugin;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  private static final Pattern NAMED =
      Pattern.compile("\\s*([a-z][a-z0-9-]*)=(.*)", Pattern.DOTALL);

  public ProviderChoice {
    options = Collections.unmodifiableMap(new TreeMap<>(options));
  }

  /** Choose a provider with its default options. */
  public static ProviderChoice of(String id) {
    return new ProviderChoice(id, Map.of());
  }

  /**
   * Read a choice as users write it: {@code dynamic}; {@code fixed:0.4}, where the text after the
   * colon sets the option that the provider declares first; {@code wmf:rank=50:lambda=2}. A value
   * may hold colons itself: it ends before the next {@code :key=}.
   */
  public static ProviderChoice parse(String text) {
    String[] parts = text.split(":", -1);
    String id = parts[0].strip();
    Map<String, String> options = new TreeMap<>();
    String last = "";
    for (int k = 1; k < parts.length; k++) {
      Matcher named = NAMED.matcher(parts[k]);
      if (named.matches()) {
        last = named.group(1);
        if (options.put(last, named.group(2).strip()) != null) {
          throw PecfException.badOption("'%s' sets %s twice. Leave one of them out.", text, last);
        }
      } else {
        options.merge(last, parts[k].strip(), (begun, more) -> begun + ":" + more);
      }
    }
    if (id.isEmpty() || options.containsValue("")) {
      throw PecfException.badOption(
          "'%s' does not name a provider. Write its id, such as 'dynamic', its id and the value of"
              + " its first option, such as 'fixed:0.4', or its id and options by name, such as"
              + " 'wmf:rank=50:lambda=2'.",
          text);
    }
    return new ProviderChoice(id, options);
  }

  /** Return this choice with one option set, replacing an earlier text of the same key. */
  public ProviderChoice with(String key, String value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(key, value);
    return new ProviderChoice(id, more);
  }

  /** Return this choice without some options. */
  public ProviderChoice without(Collection<String> keys) {
    Map<String, String> fewer = new TreeMap<>(options);
    fewer.keySet().removeAll(keys);
    return new ProviderChoice(id, fewer);
  }

  /** Return the text that {@link #parse} reads, such as {@code wmf:lambda=0.1:rank=50}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(id);
    // The first option comes first: its key is the empty text.
    options.forEach(
        (key, value) ->
            text.append(':').append(key.equals(FIRST_OPTION) ? value : key + "=" + value));
    return text.toString();
  }
}
