/** Jars and zips that may come from anybody: limits, digests and signatures. */
package org.pecf.engine.archive;
