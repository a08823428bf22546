/** Arrow IPC files and streams. */
package org.pecf.plugin.loaders.arrow;
