package org.pecf.study.page;

/** A part of a section: words, a table, a chart, or the steps that are done. */
public sealed interface Block permits Block.Steps, Block.Words, Chart, Table {
  /**
   * A paragraph.
   *
   * @param text the words, plain
   */
  record Words(String text) implements Block {}

  /**
   * How many of the steps of some work are done, as a bar and in words.
   *
   * @param words the words beside the bar
   * @param done how many are done
   * @param all how many there are
   */
  record Steps(String words, int done, int all) implements Block {}
}
