package org.pecf.fuzz;

import java.io.IOException;
import java.util.Set;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/**
 * The judgement on how an input was read: it is accepted, or refused by one sentence or two for the
 * person who gave it. A defect, a plugin that is blamed, memory taken by a number in a file, a
 * message of many lines or any other exception is a finding.
 */
final class Verdict {
  /** The kinds of problem that an input can have. */
  private static final Set<ErrorCode> REFUSALS =
      Set.of(ErrorCode.BAD_DATA, ErrorCode.BAD_OPTION, ErrorCode.BAD_MODEL, ErrorCode.UNAVAILABLE);

  private static final int LONGEST_MESSAGE = 4000;

  private Verdict() {}

  /**
   * Read an input, and return whether it was accepted.
   *
   * @throws AssertionError if it was neither accepted nor refused properly
   */
  static boolean accepts(UntrustedReader reader, byte[] input) {
    try {
      reader.read(input);
      return true;
    } catch (PecfException e) {
      String message = e.getMessage();
      if (!REFUSALS.contains(e.code())) {
        throw new AssertionError(e.code() + ": " + message, e);
      }
      if (message.length() > LONGEST_MESSAGE || message.chars().anyMatch(Character::isISOControl)) {
        throw new AssertionError("not a plain sentence: " + message, e);
      }
      if (!message.endsWith(".") && !message.endsWith("?")) {
        throw new AssertionError("no whole sentence: " + message, e);
      }
      return false;
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("neither read nor refused", e);
    }
  }
}
