package org.pecf.api.plugin;

import java.util.Objects;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The description of a provider.
 *
 * @param id the name by which users and stored models refer to it: lower-case letters, digits and
 *     hyphens, starting with a letter
 * @param summary one line for people
 * @param spiVersion pass {@link SpiVersion#CURRENT}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProviderDescription(String id, String summary, int spiVersion) {
  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  public ProviderDescription {
    Objects.requireNonNull(summary, "summary");
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "provider id '"
              + id
              + "' must be lower-case letters, digits and single hyphens, starting with a letter");
    }
  }
}
