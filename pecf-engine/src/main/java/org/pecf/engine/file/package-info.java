/** Files and folders that results are written to. */
package org.pecf.engine.file;
