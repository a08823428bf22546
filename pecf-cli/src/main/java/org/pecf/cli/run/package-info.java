/** The environment of a run of the engine: interruption, log file, records, display of events. */
package org.pecf.cli.run;
