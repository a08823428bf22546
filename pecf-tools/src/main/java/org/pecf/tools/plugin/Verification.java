package org.pecf.tools.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.pecf.engine.plugin.Diagnostic;

/**
 * Hold what was found about a plugin without running any of its code.
 *
 * @param location the jar or folder
 * @param module the name of the module that offers something, if there is one
 * @param offers what it offers, as far as its byte code tells
 * @param digest its SHA-256 digest, if it can be read
 * @param diagnostics what the checks found
 */
public record Verification(
    Path location,
    Optional<String> module,
    List<Offer> offers,
    Optional<String> digest,
    List<Diagnostic> diagnostics) {
  public Verification {
    offers = List.copyOf(offers);
    diagnostics = List.copyOf(diagnostics);
  }

  /** Return whether there is no problem. */
  public boolean passed() {
    return problems().isEmpty();
  }

  /** Return the problems. */
  public List<Diagnostic> problems() {
    return diagnostics.stream().filter(Diagnostic::isError).toList();
  }
}
