/** From arguments to exit codes. */
package org.pecf.cli;
