/** Files and folders for results. */
package org.pecf.platform.file;
