/** What is said about a run when it is over: tables and JSON. */
package org.pecf.cli.report;
