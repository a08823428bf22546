package org.pecf.study.page;

/**
 * A paragraph.
 *
 * @param text the words, plain
 */
public record Words(String text) implements Block {}
