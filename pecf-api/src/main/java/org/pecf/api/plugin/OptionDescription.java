package org.pecf.api.plugin;

import java.util.List;
import org.apiguardian.api.API;

/**
 * The description of one option for people and tools.
 *
 * @param key the key that sets it
 * @param type a word for its type: integer, number, boolean, text, choice or list
 * @param label a short placeholder for its value in help texts
 * @param description its meaning, in one line
 * @param defaultValue its default as text, empty when it starts unset
 * @param unset a few words on what applies while it is unset, else empty
 * @param min the smallest number allowed
 * @param max the largest number allowed
 * @param choices the values of a choice, else empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record OptionDescription(
    String key,
    String type,
    String label,
    String description,
    String defaultValue,
    String unset,
    double min,
    double max,
    List<String> choices) {
  public OptionDescription {
    choices = List.copyOf(choices);
  }
}
