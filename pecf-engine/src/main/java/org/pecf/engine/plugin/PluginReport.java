package org.pecf.engine.plugin;

import java.util.List;
import java.util.Optional;

/**
 * The outcome of loading a plugin.
 *
 * @param location the jar or folder it comes from
 * @param builtIn whether it belongs to the program itself rather than to a plugins folder
 * @param module the name of its module, if it has one
 * @param version its version, if it says
 * @param state the extent to which it can be used
 * @param diagnostics the errors and warnings about it
 * @param provided the providers that can be chosen
 */
public record PluginReport(
    String location,
    boolean builtIn,
    Optional<String> module,
    Optional<String> version,
    State state,
    List<Diagnostic> diagnostics,
    List<Provided> provided) {
  /** The extent to which a plugin can be used. */
  public enum State {
    /** All its providers can be chosen. */
    LOADED,
    /** Some of its providers can be chosen. */
    PARTLY,
    /** None of its providers can be chosen. */
    BROKEN,
    /** A plugin that is not trusted where trust is required; none of its code ran. */
    UNTRUSTED,
    /** An entry that is no plugin, or that the program has already. */
    IGNORED
  }

  /**
   * A provider that can be chosen.
   *
   * @param kind its kind
   * @param id the name by which it is chosen
   * @param spiVersion the version of the SPI that it was made for
   * @param summary its summary, one line
   */
  public record Provided(ProviderKind<?> kind, String id, int spiVersion, String summary) {}

  public PluginReport {
    diagnostics = List.copyOf(diagnostics);
    provided = List.copyOf(provided);
  }
}
