package org.pecf.plugin.backend.cpu.leastsquares;

/**
 * The values that the excess weights of exceptions take.
 *
 * @param uniform whether there is at most one value above the background and one below
 * @param above the value above, if uniform
 * @param below the value below, if uniform
 */
record ExcessLevels(boolean uniform, float above, float below) {}
