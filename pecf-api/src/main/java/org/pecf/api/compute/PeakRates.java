package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * Say what the hardware behind a backend could do at best, as its maker has it: what measured rates
 * are compared with.
 *
 * @param flops single-precision operations a second
 * @param bytes bytes a second from and to its memory
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PeakRates(double flops, double bytes) {}
