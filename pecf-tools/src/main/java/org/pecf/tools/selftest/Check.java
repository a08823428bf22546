package org.pecf.tools.selftest;

/**
 * Hold the outcome of comparing a backend with another.
 *
 * @param name what was compared
 * @param error the largest difference found
 * @param allowed how large it may be
 * @param problem why nothing could be compared; empty if it could
 */
public record Check(String name, double error, double allowed, String problem) {
  /**
   * Return whether the backends agree; a difference that is not a number is none that is allowed.
   */
  public boolean passed() {
    return problem.isEmpty() && error <= allowed;
  }
}
