/** Arrow IPC files and streams. */
package org.pecf.loaders.arrow;
