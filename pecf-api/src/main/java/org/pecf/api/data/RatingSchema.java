package org.pecf.api.data;

import org.apiguardian.api.API;

/**
 * The columns that a source holds.
 *
 * @param users the kind of user ids
 * @param items the kind of item ids
 * @param rated whether there are rating values; if not, every line is a positive
 * @param timed whether there are timestamps
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RatingSchema(IdKind users, IdKind items, boolean rated, boolean timed) {}
