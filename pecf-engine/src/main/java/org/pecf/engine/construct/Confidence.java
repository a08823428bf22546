package org.pecf.engine.construct;

/**
 * Say how much cells count: c = positive for positives, zero for zeros.
 *
 * @param positive above 0
 * @param zero at least 0
 */
public record Confidence(float positive, float zero) {}
