package org.pecf.engine.plugin;

import java.util.List;
import java.util.Optional;

/**
 * Say what became of a plugin.
 *
 * @param location the jar or folder it comes from
 * @param builtIn whether it belongs to the program itself rather than to a plugins folder
 * @param module the name of its module, if it has one
 * @param version its version, if it says
 * @param state whether it can be used
 * @param problems what is wrong or worth knowing
 * @param provided what it offers
 */
public record PluginReport(
    String location,
    boolean builtIn,
    Optional<String> module,
    Optional<String> version,
    State state,
    List<Diagnostic> problems,
    List<Provided> provided) {
  /** Say whether a plugin can be used. */
  public enum State {
    /** All it offers can be used. */
    LOADED,
    /** Some of what it offers can be used. */
    PARTLY,
    /** Nothing of it can be used. */
    BROKEN,
    /** It is not trusted, and only what is trusted may be loaded: no code of it ran. */
    UNTRUSTED,
    /** It is no plugin, or not needed. */
    IGNORED
  }

  /**
   * Describe one thing that a plugin offers.
   *
   * @param kind what it is
   * @param id the name by which it is chosen
   * @param spiVersion the version of the SPI it was made for
   * @param summary one line for people
   */
  public record Provided(ProviderKind<?> kind, String id, int spiVersion, String summary) {}

  public PluginReport {
    problems = List.copyOf(problems);
    provided = List.copyOf(provided);
  }
}
