package org.pecf.study.page;

/** A part of a section: words, a table, a chart, or the steps that are done. */
public sealed interface Block permits Chart, Steps, Table, Words {}
