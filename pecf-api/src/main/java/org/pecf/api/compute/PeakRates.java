package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * The peak rates of the hardware behind a backend as its maker states them, to compare measured
 * rates with.
 *
 * @param flops single-precision operations a second
 * @param bytes bytes a second from and to its memory
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PeakRates(double flops, double bytes) {}
