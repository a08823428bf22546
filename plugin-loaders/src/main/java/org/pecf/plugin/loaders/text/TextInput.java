package org.pecf.plugin.loaders.text;

/**
 * Say which part of a file holds lines of ratings.
 *
 * @param file the file
 * @param start the position after what precedes them: a byte order mark, a header
 */
public record TextInput(TextFile file, long start) {}
