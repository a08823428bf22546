/** Files and folders for results. */
package org.pecf.engine.file;
