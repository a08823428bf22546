/** The commands, one a class. */
package org.pecf.cli.command;
