/** Where commands write to: streams, the terminal, tables, the progress display. */
package org.pecf.cli.console;
