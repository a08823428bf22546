package org.pecf.cli.option;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says how much work is spent on finding settings. */
@Section(Sections.ENSEMBLE)
public final class EffortOptions {
  @Option(
      names = "--effort",
      paramLabel = "HOW",
      description =
          "How much work is spent on choosing rank, lambda, confidence, frequency exponent and"
              + " rounds for the data: none, quick, normal or thorough (default: quick if none of"
              + " these is given, else none).")
  @Nullable String effort;

  /** Return whether an effort was asked for. */
  public boolean given() {
    return effort != null;
  }

  /** Return the effort as it was given. */
  public Optional<String> text() {
    return Optional.ofNullable(effort);
  }
}
