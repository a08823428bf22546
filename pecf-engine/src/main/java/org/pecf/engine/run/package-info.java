/** Runs: the workspace they own, and training from a request to a result. */
package org.pecf.engine.run;
