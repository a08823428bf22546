/** The options of commands, from the command line and from files, and what they ask for. */
package org.pecf.cli.option;
