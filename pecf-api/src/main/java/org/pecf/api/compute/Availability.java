package org.pecf.api.compute;

import org.apiguardian.api.API;

/**
 * The answer of a backend to the question whether it works on this machine.
 *
 * @param available whether it does
 * @param explanation the device it would run on, or the reason why it cannot
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Availability(boolean available, String explanation) {}
