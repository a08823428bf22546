/** The options of commands, from the command line and from files, and the requests made of them. */
package org.pecf.cli.option;
