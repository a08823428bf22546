package org.pecf.tools.plugin;

import java.nio.file.Path;
import java.util.List;
import org.pecf.platform.plugin.Diagnostic;
import org.pecf.platform.plugin.PluginReport;

/**
 * A plugin that was verified and put into a plugins folder.
 *
 * @param location the jar or folder in the plugins folder
 * @param provided its providers, found by loading it; none if it is not trusted
 * @param diagnostics the outcomes of the verification
 */
public record Installation(
    Path location, List<PluginReport.Provided> provided, List<Diagnostic> diagnostics) {
  public Installation {
    provided = List.copyOf(provided);
    diagnostics = List.copyOf(diagnostics);
  }
}
