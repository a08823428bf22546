package org.pecf.cli.report;

import java.util.List;
import java.util.Locale;
import org.pecf.api.ErrorCode;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.plugin.Diagnostic;

/** Diagnostics as lines of text, and as an exit code. */
public final class Diagnostics {
  private Diagnostics() {}

  /** Return the lines: level, subject, message and remedy. */
  public static List<String> lines(List<Diagnostic> diagnostics) {
    int width =
        diagnostics.stream().mapToInt(diagnostic -> diagnostic.subject().length()).max().orElse(1);
    String format = "%-7s  %-" + Math.max(1, width) + "s  %s";
    return diagnostics.stream()
        .map(
            diagnostic ->
                String.format(
                    Locale.ROOT,
                    format,
                    Choices.nameOf(diagnostic.level()),
                    diagnostic.subject(),
                    diagnostic.toString()))
        .toList();
  }

  /** Return the exit code of a command with these diagnostics. */
  public static int exitCode(List<Diagnostic> diagnostics) {
    return diagnostics.stream().anyMatch(Diagnostic::isError)
        ? ErrorCode.UNAVAILABLE.exitCode()
        : 0;
  }
}
