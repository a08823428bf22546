/** The resources that a run provides to plugins: memory, seeds, threads, cancellation, events. */
package org.pecf.api.run;
