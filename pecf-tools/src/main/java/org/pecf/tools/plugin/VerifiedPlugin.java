package org.pecf.tools.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.pecf.platform.plugin.Diagnostic;

/**
 * A plugin that was checked without running any of its code.
 *
 * @param location the jar or folder
 * @param module the name of the module that declares providers, if there is one
 * @param digest its SHA-256 digest, if it can be read
 * @param diagnostics the outcomes of the checks
 */
public record VerifiedPlugin(
    Path location, Optional<String> module, Optional<String> digest, List<Diagnostic> diagnostics) {
  public VerifiedPlugin {
    diagnostics = List.copyOf(diagnostics);
  }

  /** Return whether there is no error. */
  public boolean passed() {
    return errors().isEmpty();
  }

  /** Return the errors. */
  public List<Diagnostic> errors() {
    return diagnostics.stream().filter(Diagnostic::isError).toList();
  }
}
