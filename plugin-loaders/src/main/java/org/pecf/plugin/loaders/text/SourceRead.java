package org.pecf.plugin.loaders.text;

import org.pecf.api.run.RunEvent;

/**
 * Say how a source is read where its content decided that.
 *
 * @param summary one line for people
 */
public record SourceRead(String summary) implements RunEvent {}
