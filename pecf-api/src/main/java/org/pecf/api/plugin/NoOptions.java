package org.pecf.api.plugin;

import java.lang.invoke.MethodHandles;
import org.apiguardian.api.API;

/** The options of a provider that takes none. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NoOptions() {
  /** Return the schema without any option. */
  public static OptionSchema<NoOptions> schema() {
    return OptionSchema.of(MethodHandles.lookup(), NoOptions.class);
  }
}
