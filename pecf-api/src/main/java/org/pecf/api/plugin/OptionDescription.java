package org.pecf.api.plugin;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Describe one option for people and tools.
 *
 * @param key the key that sets it
 * @param type a word for its type: integer, number, boolean, text or choice
 * @param description what it means
 * @param defaultValue its default as text, empty when it starts unset
 * @param min the smallest number allowed
 * @param max the largest number allowed
 * @param choices the values of a choice, else empty
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OptionDescription(
    String key,
    String type,
    String description,
    String defaultValue,
    double min,
    double max,
    List<String> choices) {
  public OptionDescription {
    choices = List.copyOf(choices);
  }
}
