package org.pecf.study.page;

/**
 * How many of the steps of some work are done, as a bar and in words.
 *
 * @param words the words beside the bar
 * @param done how many are done
 * @param all how many there are
 */
public record Steps(String words, int done, int all) implements Block {}
