/** Tools around plugins: verifying them before they run, installing and removing them. */
package org.pecf.engine.plugin.verify;
