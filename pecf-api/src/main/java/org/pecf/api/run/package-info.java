/** What a run lends to plugins: seeds, threads, cancellation, a place to report events. */
package org.pecf.api.run;
