package org.pecf.api.data;

import org.apiguardian.api.API;
import org.pecf.api.run.RunEvent;

/**
 * A remark of a loader on how it reads a source, where the content of the source decided that.
 *
 * @param summary one line for people
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LoaderNote(String summary) implements RunEvent {}
