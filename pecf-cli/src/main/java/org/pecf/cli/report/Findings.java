package org.pecf.cli.report;

import java.util.List;
import java.util.Locale;
import org.pecf.api.ErrorCode;
import org.pecf.tools.plugin.Finding;

/** Write what checks found, a line each, and tell whether all went well. */
public final class Findings {
  private Findings() {}

  /** Return the lines: how bad it is, what was checked, what was found and how to mend it. */
  public static List<String> lines(List<Finding> findings) {
    int width = findings.stream().mapToInt(finding -> finding.check().length()).max().orElse(1);
    String format = "%-7s  %-" + Math.max(1, width) + "s  %s";
    return findings.stream()
        .map(
            finding ->
                String.format(
                    Locale.ROOT,
                    format,
                    finding.level().name().toLowerCase(Locale.ROOT),
                    finding.check(),
                    finding.sentence()))
        .toList();
  }

  /** Return the exit code of a command that found this. */
  public static int exitCode(List<Finding> findings) {
    return findings.stream().anyMatch(one -> one.level() == Finding.Level.PROBLEM)
        ? ErrorCode.UNAVAILABLE.exitCode()
        : 0;
  }
}
