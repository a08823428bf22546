package org.pecf.page;

/** A part of a section: words, a table or a chart. */
public sealed interface Block permits Chart, Table, Words {}
